# Ruby as a judge: judge.rb lossy|read ENCODING, with the lines of judge.py.
task, name = ARGV
STDIN.each_line do |line|
  text = [line.chomp].pack('H*').force_encoding(name)
  begin
    text = task == 'lossy' ? text.scrub("\uFFFD") : text.encode('UTF-8')
    puts task == 'lossy' || text.valid_encoding? ? text.unpack1('H*') : '-'
  rescue EncodingError
    puts '-'
  end
end
