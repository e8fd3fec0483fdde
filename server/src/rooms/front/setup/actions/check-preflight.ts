import type { Means } from '../means.ts'

export interface Blocker {
  readonly code: string
  readonly message: string
  readonly remedy: string
}

const PING_TIMEOUT_MS = 2000

/** The obstacles before the first run of this installation. The check also works while there is no database. */
export async function checkPreflight(means: Means): Promise<readonly Blocker[]> {
  const [told, found] = await Promise.all([askProbes(means), askDatabase(means)])
  return [...told, ...found]
}

async function askProbes({ probes }: Means): Promise<readonly Blocker[]> {
  const asked = probes.map(async ({ check, blocker }) => {
    if (!blocker) return []
    return check().then(
      () => [],
      (error: unknown) => [
        { ...blocker, message: error instanceof Error ? error.message : 'The probe gave no reason.' },
      ],
    )
  })
  return (await Promise.all(asked)).flat()
}

async function askDatabase({ access, database, log, secrets }: Means): Promise<readonly Blocker[]> {
  try {
    await database.ping(PING_TIMEOUT_MS)
    const [keyFault, isLocked] = await Promise.all([secrets.findKeyFault(), access.authenticator.isSetupLocked()])
    return [...(keyFault === undefined ? [] : [secretKeyWrong(keyFault)]), ...(isLocked ? [ADMINISTRATOR_MISSING] : [])]
  } catch (error) {
    log.warn({ err: error }, 'preflight could not ask the database')
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

/** Told to who has just made the administrator: nobody else should learn that there is such a token. */
export const BOOTSTRAP_VALID: Blocker = {
  code: 'bootstrap_token_valid',
  message: 'The bootstrap token still is an administrator.',
  remedy:
    'Sign in as the new administrator, then revoke it: `signalbox setup revoke-bootstrap`, or DELETE /v1/auth/bootstrap.',
}

function secretKeyWrong(message: string): Blocker {
  return {
    code: 'secret_key_wrong',
    message,
    remedy: 'Configure the secret_key that was used before; several versions may stand beside each other.',
  }
}
