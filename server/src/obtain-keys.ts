import type { Config } from '#platform/config'
import {
  constantTimeEqual,
  findMasterKeys,
  keyFingerprint,
  type MasterKeys,
  MasterKeyWrong,
  makeMasterKey,
  masterKeyPath,
} from '#platform/crypto'
import { type KeyChecks, readKeyChecks, recordKeyChecks, replaceKeyChecks } from '#platform/database'
import type { Log } from '#platform/log'

/**
 * The keys for a migrated database: those that it knows. A key is made only for an embedded database that knows none, so
 * never beside values that another one sealed. Throws MasterKeyWrong with a sentence that says how to go on.
 */
export async function obtainKeys(config: Config, databaseUrl: string, log: Log): Promise<MasterKeys> {
  const known = await readKeyChecks(databaseUrl)
  const found = findMasterKeys({ configured: config.secretKey, dataDir: config.dataDir })
  const isOwn = config.databaseUrl === undefined
  if (!found) {
    if (known.size > 0 && !config.secretKeyLost) throw new MasterKeyWrong(missing(config))
    if (!isOwn) throw new MasterKeyWrong(REQUIRED)
  }
  const keys = found ?? makeMasterKey(config.dataDir)
  const checks = new Map([...keys].map(([version, key]) => [version, keyFingerprint(key)]))
  const wrong = findWrongKey(checks, known)
  if (wrong !== undefined && config.secretKeyLost) {
    log.warn({ versions: [...known.keys()] }, 'what earlier keys sealed is given up, as secret_key_lost says')
    await replaceKeyChecks(databaseUrl, checks)
    return keys
  }
  const late = wrong ?? findWrongKey(checks, await recordKeyChecks(databaseUrl, checks))
  if (late !== undefined) throw new MasterKeyWrong(other(config, late))
  return keys
}

/** Why these keys are not those of the database: a version that is another key, or none that it knows. */
export function findWrongKey(checks: KeyChecks, known: KeyChecks): string | undefined {
  if (known.size === 0) return undefined
  const shared = [...checks].filter(([version]) => known.has(version))
  const changed = shared.filter(([version, check]) => !constantTimeEqual(check, known.get(version) ?? Buffer.alloc(0)))
  if (changed.length > 0) return `version ${changed.map(([version]) => version).join(', ')} is another key`
  if (shared.length === 0) return `version ${[...known.keys()].join(', ')} is missing`
  return undefined
}

const REQUIRED =
  'secret_key is required with database_url: set SECRET_KEY to 64 hex digits (openssl rand -hex 32) and keep it safe.'
const LOST = 'If that key is lost for good, set SECRET_KEY_LOST=true for one start and store every secret again.'

function missing({ dataDir, databaseUrl }: Config): string {
  const back =
    databaseUrl === undefined
      ? `bring ${masterKeyPath(dataDir)} back from the backup, or set SECRET_KEY to its content`
      : 'set SECRET_KEY to the key that was used before'
  return `The key of the values that the database holds sealed is missing: ${back}. No other key was made. ${LOST}`
}

function other({ dataDir, databaseUrl, secretKey }: Config, how: string): string {
  const place = secretKey === undefined ? masterKeyPath(dataDir) : 'secret_key'
  const begin =
    databaseUrl === undefined
      ? `To begin anew instead, move ${dataDir}/postgres away.`
      : 'To begin anew instead, name an empty database.'
  return `The database belongs to another key than ${place}: ${how}. Take back the key that was used before, beside a newer one as 1=<old>,2=<new>. ${begin} ${LOST}`
}
