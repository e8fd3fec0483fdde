import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** For very many folders: in memory where there is such a place, because a disk takes seconds for them. */
export const quickFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Makes a folder with so many folders within one another, each named d: far beyond the longest path. */
export const makeDeepTree = (path: string, depth: number): void => {
  const program =
    'my ($path, $depth) = @ARGV; mkdir $path; chdir $path or die; for (1..$depth) { mkdir "d" or die; chdir "d" or die } open my $file, ">", "file" or die'
  execFileSync('perl', ['-e', program, path, String(depth)])
}
