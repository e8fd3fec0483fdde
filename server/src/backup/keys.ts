import type { Config } from '#platform/config'
import { findMasterKeys, keyFingerprint, type MasterKeys, masterKeyPath } from '#platform/crypto'
import type { KeyChecks } from '#platform/database'
import { findWrongKey } from '../obtain-keys.ts'
import { BackupRefused } from './refused.ts'

/**
 * The keys that open what the rows hold sealed: those of this place, else `others`. Undefined where nothing is sealed, or
 * where `secret_key_lost` gives it up. Throws BackupRefused where they are missing or of another database.
 */
export function requireKeys(config: Config, sealedBy: KeyChecks, others?: MasterKeys): MasterKeys | undefined {
  const keys = findMasterKeys({ configured: config.secretKey, dataDir: config.dataDir }) ?? others
  if (sealedBy.size === 0 || config.secretKeyLost) return keys
  const bring = `Set SECRET_KEY to the key that was used there, or bring its file to ${masterKeyPath(config.dataDir)}.`
  const lost = 'If that key is lost for good, set SECRET_KEY_LOST=true now and for the first start.'
  if (!keys)
    throw new BackupRefused(`The secret key of the database is not here. ${bring} ${lost} Nothing was changed.`)
  const wrong = findWrongKey(new Map([...keys].map(([version, key]) => [version, keyFingerprint(key)])), sealedBy)
  if (wrong === undefined) return keys
  throw new BackupRefused(
    `The secret key here is not that of the database: ${wrong}. ${bring} ${lost} Nothing was changed.`,
  )
}
