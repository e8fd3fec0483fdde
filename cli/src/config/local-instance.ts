import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readBirth } from '@signalbox/contracts/processes'
import { parse } from 'yaml'
import { number, object, orNull, text } from '../client/shape.ts'
import { CommandFailed, messageOf } from '../errors.ts'
import type { Surroundings } from '../surroundings.ts'

/** A control plane that runs on this machine, on the data folder of the working directory. */
export interface LocalInstance {
  readonly url: string
  readonly runnerUrl: string | undefined
  readonly pid: number
}

const addressShape = object({ url: orNull(text), runner_url: orNull(text), pid: number, birth: orNull(text) })

/** The data folder that a server started here would use: DATA_DIR, signalbox.yaml, or .signalbox. Absolute. */
export function dataDirOf({ env, cwd }: Surroundings, given?: string): string {
  return resolve(cwd, given ?? env['DATA_DIR'] ?? readKey(cwd, 'data_dir') ?? '.signalbox')
}

/** The running instance of a data folder, by the address file that the server writes; undefined while none runs. */
export function findInstance(dataDir: string): LocalInstance | undefined {
  try {
    const { url, runner_url, pid, birth } = addressShape(
      JSON.parse(readFileSync(join(dataDir, 'address.json'), 'utf8')),
      'file',
    )
    return url !== null && isAlive(pid, birth) ? { url, runnerUrl: runner_url ?? undefined, pid } : undefined
  } catch {
    // The file is missing or half written: no control plane runs yet.
    return undefined
  }
}

export function bootstrapTokenPath(dataDir: string): string {
  return join(dataDir, 'bootstrap-token')
}

/** The token of the first administrator: configured, or made in the data folder; undefined where neither can be read. */
export function findBootstrapToken(surroundings: Surroundings, dataDir: string): string | undefined {
  const configured = surroundings.env['BOOTSTRAP_ADMIN_TOKEN'] || readKey(surroundings.cwd, 'bootstrap_admin_token')
  if (configured) return configured
  try {
    return readFileSync(bootstrapTokenPath(dataDir), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

function readKey(cwd: string, key: string): string | undefined {
  const path = join(cwd, 'signalbox.yaml')
  if (!existsSync(path)) return undefined
  try {
    const document: unknown = parse(readFileSync(path, 'utf8'))
    if (typeof document !== 'object' || document === null) return undefined
    const value: unknown = Object.entries(document).find(([name]) => name === key)?.[1]
    return typeof value === 'string' ? value : undefined
  } catch (error) {
    throw new CommandFailed('usage', `${path} is not valid YAML: ${messageOf(error).split('\n')[0] ?? ''}`)
  }
}

/** Whether it is still the process that the server was: its number may be another one's by now. */
function isAlive(pid: number, birth: string | null): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // The process lives, and belongs to somebody else.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  try {
    const now = readBirth(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    return now !== undefined && (birth === null || now === birth)
  } catch {
    // Outside Linux only the life of the number is known.
    return true
  }
}
