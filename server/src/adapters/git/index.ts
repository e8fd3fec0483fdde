import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRepository } from './open-repository.ts'
import type { GitReader } from './port.ts'

export type {
  BlobReading,
  BlobSearch,
  CommitAt,
  GitFailure,
  GitReader,
  OpenRepository,
  PathsBase,
  PathsReading,
  RepositoryAddress,
} from './port.ts'

const PREFIX = 'signalbox-git-'

/** `path`: the PATH by which git and sh are found. The first use removes what a killed process left behind. */
export function createGitReader(path: string): GitReader {
  let swept: Promise<void> | undefined
  return {
    async open(address) {
      swept ??= sweep()
      await swept
      const directory = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`))
      return openRepository(address, directory, path)
    },
  }
}

/** Folders name the process that made them; those of processes that are no more go. */
async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN
    if (Number.isNaN(pid) || pid === process.pid || lives(pid)) continue
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined)
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
