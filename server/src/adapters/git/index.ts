import { chown, lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasProcess } from '#platform/processes'
import { chooseAccount } from './account.ts'
import { openRepository } from './open-repository.ts'
import { createPlaces } from './places.ts'
import type { GitFailure, GitReader, OpenRepository } from './port.ts'

export type {
  BlobReading,
  BlobSearch,
  CommitAt,
  CommitSearch,
  GitFailure,
  GitReader,
  OpenRepository,
  PathsBase,
  PathsReading,
  RepositoryAddress,
} from './port.ts'

const PREFIX = 'signalbox-git-'

/** Each costs a process, a folder and some memory; people who ask at once must not bring the machine down. */
const OPEN_AT_ONCE = 6

/** `path`: the PATH by which git and sh are found. The first use removes what a killed process left behind. */
export function createGitReader(path: string): GitReader {
  const places = createPlaces(OPEN_AT_ONCE)
  const account = chooseAccount()
  let swept: Promise<void> | undefined
  return {
    async open(address) {
      if (!(await places.take(address.signal))) return tooManyOpen()
      try {
        swept ??= sweep(account?.uid ?? process.getuid?.())
        await swept
        const directory = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`))
        if (account) await chown(directory, account.uid, account.gid)
        const open = await openRepository(address, { directory, account, path })
        return { ...open, close: () => open.close().finally(places.giveBack) }
      } catch (error) {
        places.giveBack()
        throw error
      }
    },
  }
}

function tooManyOpen(): OpenRepository {
  const reason = 'The repository cannot be read: too many others are being read.'
  const failure = async (): Promise<GitFailure> => ({ outcome: 'failed', reason, retry: true })
  return {
    findCommit: failure,
    findBlob: failure,
    readBlob: failure,
    listChangedPaths: failure,
    close: async () => undefined,
  }
}

/**
 * Folders name the process that made them; folders of dead processes go. Only folders of `uid` go, because we gave them
 * to it. Anybody can make a folder of such a name there, and redirect its removal by a link.
 */
async function sweep(uid: number | undefined): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN
    if (Number.isNaN(pid) || pid === process.pid || hasProcess(pid)) continue
    const folder = join(tmpdir(), name)
    const stat = await lstat(folder).catch(() => undefined)
    if (!stat?.isDirectory() || (uid !== undefined && stat.uid !== uid)) continue
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}
