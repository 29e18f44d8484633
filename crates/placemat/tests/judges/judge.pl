# Perl as a judge: judge.pl lossy|read ENCODING, with the lines of judge.py.
use strict;
use warnings;
no warnings qw(utf8 surrogate nonchar non_unicode);
use Encode;

my ($task, $name) = @ARGV;
while (my $line = <STDIN>) {
    chomp $line;
    my $given = pack 'H*', $line;
    my $text = eval { Encode::decode($name, $given, $task eq 'lossy' ? Encode::FB_DEFAULT : Encode::FB_CROAK) };
    print defined $text ? unpack('H*', Encode::encode('utf8', $text)) : '-', "\n";
}
