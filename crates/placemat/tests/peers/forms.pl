# Perl on short strings: forms.pl read|write NAME, with the lines of forms.py.
use strict;
use warnings;
no warnings qw(utf8 surrogate nonchar non_unicode);
use Encode;

my ($direction, $name) = @ARGV;
while (my $line = <STDIN>) {
    chomp $line;
    my $given = pack 'H*', $line;
    my $found = eval {
        if ($direction eq 'read') {
            my $text = Encode::decode($name, $given, Encode::FB_CROAK);
            join '', map { sprintf '%08x', ord } split //, $text;
        } else {
            my $text = join '', map { chr } unpack 'N*', $given;
            unpack 'H*', Encode::encode($name, $text, Encode::FB_CROAK);
        }
    };
    print defined $found ? $found : '-', "\n";
}
