import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chown, mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { fullDisk, isFullDisk } from '../errors.ts'
import { withoutNewPrivileges } from '../processes/no-new-privileges.ts'
import type { Owner } from '../processes/running-process.ts'
import type { Trees } from '../trees/trees.ts'
import type { ArchiveReport, ArchiveWork } from './archive-process.ts'

/** More than any report has; earlier lines are of no use. */
const MOST_SAID = 65_536

const PROGRAM = fileURLToPath(new URL('./archive-process.ts', import.meta.url))

export interface Archive {
  /** Of the runner alone. */
  readonly file: string
  readonly size: number
  readonly sha256: string
  readonly files: number
  /** Folders that could not be looked into: some by name, and how many more. */
  readonly unreadable: readonly string[]
  readonly moreUnreadable: number
}

/** Something about files went wrong; the message is a sentence for the author of the pipeline. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
}

export interface ArchivesOptions {
  /** For archives on their way; closed to the user who runs tasks. */
  readonly folder: string
  /** The folder of workspaces: files are unpacked in a folder beside them, in which no container works. */
  readonly workspaces: string
  /** Who runs tasks, when the runner is root. */
  readonly owner: Owner | undefined
  /** The most bytes that the files of one archive may have. */
  readonly limitBytes: number
  readonly trees: Trees
}

/** Makes archives of files in a workspace, and unpacks them there, always as the user who runs tasks. */
export class Archives {
  readonly #options: ArchivesOptions

  constructor(options: ArchivesOptions) {
    this.#options = options
  }

  /** An `Archives` for files of this account. */
  as(owner: Owner | undefined): Archives {
    return new Archives({ ...this.#options, owner })
  }

  /** A path for bytes on their way. */
  newFile(): string {
    return join(this.#options.folder, randomUUID())
  }

  /** Undefined when no file fits. The disposal removes the file. */
  async pack(
    directory: string,
    paths: readonly string[],
    signal: AbortSignal,
  ): Promise<(Archive & AsyncDisposable) | undefined> {
    const file = this.newFile()
    const remove = () => rm(file, { force: true })
    try {
      const hash = createHash('sha256')
      const counted = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          hash.update(chunk)
          done(null, chunk)
        },
      })
      const child = this.#start({ what: 'pack', directory, paths }, signal)
      const written = pipeline(child.output, counted, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
      const [report] = await Promise.all([child.report, written])
      const { files = 0, unreadable = [], moreUnreadable = 0 } = report
      if (files === 0) {
        await remove()
        return undefined
      }
      const { size } = await stat(file)
      const sha256 = hash.digest('hex')
      return { file, size, sha256, files, unreadable, moreUnreadable, [Symbol.asyncDispose]: remove }
    } catch (error) {
      await remove()
      throw isFullDisk(error) ? new ArchiveError(fullDisk(this.#options.folder), { cause: error }) : error
    }
  }

  /** All of it, or nothing where it is broken or too large. */
  async unpack(directory: string, file: string, signal: AbortSignal): Promise<void> {
    const { workspaces, owner, trees } = this.#options
    const staging = await mkdtemp(join(workspaces, 'unpack-')).catch((error: unknown) => {
      throw isFullDisk(error) ? new ArchiveError(fullDisk(workspaces), { cause: error }) : error
    })
    try {
      if (owner !== undefined) await chown(staging, owner.uid, owner.gid)
      const child = this.#start({ what: 'unpack', directory, staging }, signal)
      // Where the child gives up first, its report says why; the broken pipe does not.
      const fed = pipeline(createReadStream(file), child.input).catch(() => undefined)
      await Promise.all([child.report, fed])
    } finally {
      await trees.remove(staging)
    }
  }

  /** A digest of the names and contents of the files that fit; undefined when none does. */
  async digest(directory: string, paths: readonly string[], signal: AbortSignal): Promise<string | undefined> {
    const { files, digest } = await this.#start({ what: 'digest', directory, paths }, signal).report
    return files === 0 ? undefined : digest
  }

  #start(work: ArchiveWork, signal: AbortSignal) {
    const { owner = null, limitBytes, workspaces } = this.#options
    const order = JSON.stringify({ ...work, limitBytes, owner })
    const { file, args } = withoutNewPrivileges(process.execPath, [PROGRAM, order])
    const child = spawn(file, args, {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said = `${said}${chunk}`.slice(-MOST_SAID)
    })
    // The report tells of it.
    child.stdin.on('error', () => undefined)
    const report = new Promise<ArchiveReport>((resolve, reject) => {
      child.once('error', (error) => reject(new ArchiveError(error.message, { cause: error })))
      child.once('close', (code, killed) => {
        const read = readReport(said)
        if (read === undefined) reject(new ArchiveError(`the archiver ended early (${killed ?? `code ${code}`})`))
        else if (read.problem !== undefined) reject(new ArchiveError(read.full ? fullDisk(workspaces) : read.problem))
        else resolve(read)
      })
    })
    return { input: child.stdin, output: child.stdout, report }
  }
}

function readReport(said: string): ArchiveReport | undefined {
  const line = said.trimEnd().split('\n').at(-1) ?? ''
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
