create temporary table given (place serial, line text);
create function pg_temp.read(line text, name text) returns text language plpgsql as $$
begin
    return encode(convert_to(convert_from(decode(line, 'hex'), name), 'UTF8'), 'hex');
exception when others then
    return '-';
end $$;
\copy given (line) from pstdin
select pg_temp.read(line, :'name') from given order by place;
