# A client of the tmux door (src/cli/local/tmux.ts): hands over its process, and prints what comes back. What it does not do is left to Node.
use strict;
my ($here) = $0 =~ m{^(.*)/}s;
my @given = @ARGV;
sub node { exec 'node', "$here/../cli.cjs", 'tmux', @given; print STDERR "t4a: tmux needs Node here.\n"; exit 127 }

my ($path, $label);
WORD: while (@ARGV && $ARGV[0] =~ /^-(.+)/s) {
  my $flags = $1;
  shift @ARGV;
  last if $flags eq '-';
  while ($flags =~ s/^(.)//s) {
    my $flag = $1;
    node() if $flag !~ /[2lNquvLSfT]/;
    next if $flag !~ /[LSfT]/;
    my $value = length $flags ? $flags : shift @ARGV;
    node() if !defined $value || ($flag eq 'S' && !length $value);
    $label = $value if $flag eq 'L';
    $path = $value if $flag eq 'S';
    next WORD;
  }
}
my $folder = ($ENV{TMUX_TMPDIR} || '/tmp') . "/t4a-tmux-$<";
my ($inherited) = ($ENV{TMUX} || '') =~ /^([^,]+)/;
# A server of tmux itself.
$inherited = undef if defined $inherited && $inherited =~ m{/tmux-\d};
$path = defined $label ? "$folder/$label" : $inherited || "$folder/default" if !defined $path;

# What a call hands over is not for another user.
my @socket = lstat $path;
node() if !@socket || $socket[4] != $>;
my $address;
if ($^O eq 'linux') { $address = pack 'S a*', 1, "$path\0" }
else { require Socket; $address = Socket::pack_sockaddr_un($path) }
my $door;
socket($door, 1, 1, 0) && connect($door, $address) or node();

sub give { my $left = pack('a V', $_[0], length $_[1]) . $_[1];
  while (length $left) { my $sent = syswrite $door, $left; exit 1 if !defined $sent; substr $left, 0, $sent, '' } }
my $bytes = '';
sub need { while (length $bytes < $_[0]) { sysread($door, $bytes, 65536, length $bytes) || return 0 } 1 }
sub frame { need(5) or return; my $length = unpack 'V', substr $bytes, 1, 4; need(5 + $length) or return;
  my $frame = substr $bytes, 0, 5 + $length, ''; (substr($frame, 0, 1), substr $frame, 5) }
sub put { my ($to, $left) = @_; while (length $left) { my $sent = syswrite $to, $left; exit 0 if !defined $sent; substr $left, 0, $sent, '' } }

$SIG{PIPE} = 'IGNORE';
# What is no door greets nobody.
$SIG{ALRM} = \&node;
alarm 2;
my ($letter) = frame();
alarm 0;
node() if !defined $letter;
my $cwd = readlink('/proc/self/cwd') || do { require Cwd; Cwd::getcwd() };
my $terminals = (-t STDIN ? 1 : 0) | (-t STDOUT ? 2 : 0) | (-t STDERR ? 4 : 0);
my @words = ('t4a', 'tmux', @given);
give('h', join "\0", $path, $cwd, 0, $terminals, 0, '', 0, 0, '', $<, $$, getppid(), '', '', '', scalar(@words), @words,
  map({ "$_=$ENV{$_}" } keys %ENV), '');
while (my ($letter, $content) = frame()) {
  if ($letter eq 'o') { put(\*STDOUT, $content) }
  elsif ($letter eq 'e') { put(\*STDERR, $content) }
  elsif ($letter eq 'x') { node() }
  elsif ($letter eq 's') { exit ord $content }
  elsif ($letter eq 'i') { sysread STDIN, my $part, 65536; give('d', defined $part ? $part : '') }
}
print STDERR "server exited unexpectedly\n";
exit 1;
