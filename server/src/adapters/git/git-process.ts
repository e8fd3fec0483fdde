import { spawn } from 'node:child_process'
import type { Account } from './account.ts'

export interface GitRun {
  readonly directory: string
  /** The account of the process; undefined: ours. */
  readonly account: Account | undefined
  readonly environment: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** The output limit in bytes; more output ends the process. */
  readonly maxOutput: number
  /** No file that it writes may be larger: what a server sends is bounded by it. */
  readonly maxFileBytes: number
}

export type GitEnd =
  | { readonly ok: true; readonly stdout: Buffer }
  | {
      readonly ok: false
      readonly reason: string
      readonly retry: boolean
      /** The server answered, and has nothing of that name. */
      readonly absent?: boolean
    }

const MAX_STDERR = 16 * 1024
/** Of the shell's `ulimit -f`. */
const BLOCK = 512

/**
 * Runs git in a process group of its own, bounded in time, output and the size of files. The arguments are passed on as
 * they are: `exec git "$@"` splits and expands nothing. Never throws.
 */
export function runGit(run: GitRun, args: readonly string[]): Promise<GitEnd> {
  const limit = Math.ceil(run.maxFileBytes / BLOCK)
  const script = `ulimit -f ${limit} && exec git "$@"`
  const enough = AbortSignal.any([run.signal, AbortSignal.timeout(run.timeoutMs)])
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', script, 'git', ...args], {
      cwd: run.directory,
      ...run.account,
      env: run.environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const printed: Buffer[] = []
    let bytes = 0
    let complaint = ''
    let over: 'output' | undefined
    const kill = (): void => killGroup(child.pid)
    child.stdout.on('data', (part: Buffer) => {
      bytes += part.length
      if (bytes <= run.maxOutput) printed.push(part)
      else {
        over = 'output'
        kill()
      }
    })
    child.stderr.on('data', (part: Buffer) => {
      if (complaint.length < MAX_STDERR) complaint += part.toString('utf8')
    })
    child.on('error', (error) =>
      resolve({ ok: false, reason: `git could not be started (${error.name})`, retry: true }),
    )
    child.on('close', (exitCode, exitSignal) => {
      enough.removeEventListener('abort', kill)
      if (exitCode === 0 && over === undefined) return resolve({ ok: true, stdout: Buffer.concat(printed) })
      resolve(explain({ exitCode, exitSignal, complaint, over, run, late: enough.aborted }))
    })
    enough.addEventListener('abort', kill)
    if (enough.aborted) kill()
  })
}

interface Ending {
  readonly exitCode: number | null
  readonly exitSignal: string | null
  readonly complaint: string
  readonly over: 'output' | undefined
  readonly run: GitRun
  readonly late: boolean
}

function explain({ exitCode, exitSignal, complaint, over, run, late }: Ending): GitEnd {
  if (over) return { ok: false, reason: `git printed more than ${run.maxOutput} bytes`, retry: false }
  if (run.signal.aborted) return { ok: false, reason: 'it was stopped', retry: true }
  if (late) return { ok: false, reason: `it took longer than ${run.timeoutMs / 1000} s`, retry: true }
  if (exitSignal === 'SIGXFSZ' || /file too large|SIGXFSZ|signal 25/i.test(complaint)) {
    return { ok: false, reason: `more than ${run.maxFileBytes} bytes would have to be fetched`, retry: false }
  }
  return { ok: false, ...readComplaint(complaint, exitCode, exitSignal) }
}

/** Git's own words may quote the server's, so that only known messages are passed on. */
const COMPLAINTS: readonly (readonly [RegExp, string, boolean])[] = [
  [
    /authentication failed|could not read (?:username|password)|returned error: 40[13]/i,
    'the server refused the credential',
    false,
  ],
  [/repository .*not found|returned error: 404/i, 'the server has no such repository', false],
  [
    /could not resolve host|failed to connect|connection refused|couldn't connect|timed out/i,
    'the server could not be reached',
    true,
  ],
  [/returned error: 5\d\d|remote end hung up|early eof|rpc failed/i, 'the server broke off', true],
  [/redirect/i, 'the server redirects to another address', false],
]

const ABSENT = /couldn't find remote ref|not our ref|unadvertised object/i

function readComplaint(complaint: string, exitCode: number | null, exitSignal: string | null) {
  const known = COMPLAINTS.find(([pattern]) => pattern.test(complaint))
  if (known) return { reason: known[1], retry: known[2] }
  if (ABSENT.test(complaint)) {
    return { reason: 'the server does not give out that commit or ref', retry: false, absent: true }
  }
  const end = exitSignal === null ? `ended with exit code ${exitCode}` : `was ended by ${exitSignal}`
  return { reason: `git ${end}`, retry: true }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has ended by itself.
  }
}
