import type { Kit } from '#platform/room'
import type { SetupNeeds } from '../index.ts'

export interface Blocker {
  readonly code: string
  readonly message: string
  readonly remedy: string
}

const PING_TIMEOUT_MS = 2000

/** What stands between this installation and its first run; it needs no database to say that there is none. */
export async function checkPreflight(kit: Kit, needs: SetupNeeds): Promise<readonly Blocker[]> {
  try {
    await kit.database.ping(PING_TIMEOUT_MS)
    const [keyFault, isLocked] = await Promise.all([
      needs.secrets.findKeyFault(),
      needs.access.authenticator.isSetupLocked(),
    ])
    return [...(keyFault === undefined ? [] : [secretKeyWrong(keyFault)]), ...(isLocked ? [ADMINISTRATOR_MISSING] : [])]
  } catch (error) {
    kit.log.warn({ err: error }, 'preflight could not ask the database')
    return [DATABASE_UNREACHABLE]
  }
}

const DATABASE_UNREACHABLE: Blocker = {
  code: 'database_unreachable',
  message: 'The database does not answer.',
  remedy: 'Start the PostgreSQL server that database_url names, or look into the log for why the embedded one is down.',
}

const ADMINISTRATOR_MISSING: Blocker = {
  code: 'administrator_missing',
  message: 'There is no administrator yet.',
  remedy:
    'POST /v1/setup/administrator with the bootstrap token, which lies in the file bootstrap-token of data_dir; or configure bootstrap_admin_token.',
}

function secretKeyWrong(message: string): Blocker {
  return {
    code: 'secret_key_wrong',
    message,
    remedy: 'Configure the secret_key that was used before; several versions may stand beside each other.',
  }
}
