import pg from 'pg'
import { DatabaseRefused, type RefusalCode } from './embedded/index.ts'

/** uuidv7() is a function of this version, and the database itself makes ids. */
const LEAST_MAJOR = 18
const PATIENCE_MS = 10_000

/**
 * The first connection of a start: to a server that this program can work with, as a role that may make tables. Throws
 * DatabaseRefused with a sentence for an operator, which never repeats the password.
 */
export async function connectToStart(url: string, applicationName: string): Promise<pg.Client> {
  const place = describePlace(url)
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: PATIENCE_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await requireSuitable(client, place)
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error instanceof DatabaseRefused ? error : explainConnect(place, error)
  }
  return client
}

export interface Standing {
  readonly version: string
  readonly is_standby: boolean
  readonly may_create: boolean
  readonly role: string
  readonly schema: string | null
}

const STANDING = `select current_setting('server_version_num') as version, pg_is_in_recovery() as is_standby,
  current_user as role, current_schema() as schema,
  has_database_privilege(current_database(), 'create')
    and coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create`

async function requireSuitable(client: pg.Client, place: string): Promise<void> {
  const { rows } = await client.query<Standing>(STANDING)
  const refused = rows[0] && judgeStanding(rows[0], place)
  if (refused) throw refused
}

/** Undefined when the product can work there. */
export function judgeStanding(standing: Standing, place: string): DatabaseRefused | undefined {
  const major = Math.floor(Number(standing.version) / 10_000)
  if (major < LEAST_MAJOR) {
    const advice = `Signalbox needs ${LEAST_MAJOR} or newer: upgrade it, or name another server in DATABASE_URL.`
    return new DatabaseRefused('database.too_old', `The server of ${place} is PostgreSQL ${major}. ${advice}`)
  }
  if (standing.is_standby) {
    return new DatabaseRefused(
      'database.unreachable',
      `The server of ${place} is a standby, which takes no writes: name the primary in DATABASE_URL, or promote it.`,
    )
  }
  if (!standing.may_create) {
    const { role, schema } = standing
    return new DatabaseRefused(
      'database.not_let_in',
      `The role ${role} may not make tables in ${place}. Make the role the owner of the database (alter database … owner to ${role}), and let it create in the schema ${schema ?? 'public'}.`,
    )
  }
  return undefined
}

/** Host, port and database of an address, and nothing else of it. */
export function describePlace(url: string): string {
  try {
    const { hostname, port, pathname, searchParams } = new URL(url)
    const host = searchParams.get('host') ?? decodeURIComponent(hostname)
    return `${host || 'localhost'}${host.startsWith('/') ? '' : `:${port || '5432'}`}, database ${decodeURIComponent(pathname.slice(1)) || '(of the role’s name)'}`
  } catch {
    throw new DatabaseRefused(
      'database.not_let_in',
      'DATABASE_URL is no address of a database: write postgres://user:password@host:5432/database. Special characters in the password are written as %-codes.',
    )
  }
}

interface Known {
  readonly matches: (code: string, message: string) => boolean
  readonly refusal: RefusalCode
  readonly advice: string
}

const KNOWN: readonly Known[] = [
  {
    matches: (code) => code === 'ECONNREFUSED' || code === 'ENOENT',
    refusal: 'database.unreachable',
    advice: 'nothing listens there. Start PostgreSQL, or correct host and port in DATABASE_URL.',
  },
  {
    matches: (code) => code === 'ENOTFOUND' || code === 'EAI_AGAIN',
    refusal: 'database.unreachable',
    advice: 'the name of the host is not known. Correct it in DATABASE_URL, or mend the name service.',
  },
  {
    matches: (code, message) =>
      ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET'].includes(code) ||
      /timeout expired|terminated/.test(message),
    refusal: 'database.unreachable',
    advice: 'no answer came. Look at the network and the firewall between here and there.',
  },
  {
    matches: (code) => code === '57P03' || code === '53300' || code === '57P01',
    refusal: 'database.unreachable',
    advice: 'it takes no connections now: it starts, stops, or has too many. Start again in a moment.',
  },
  {
    matches: (code) => code === '3D000',
    refusal: 'database.not_let_in',
    advice: 'there is no such database. Make it (create database …), or correct the name in DATABASE_URL.',
  },
  {
    matches: (code, message) => code === '28P01' || /password must be a string|no password/i.test(message),
    refusal: 'database.not_let_in',
    advice: 'it does not accept the user or the password. Correct them in DATABASE_URL.',
  },
  {
    matches: (code) => code.startsWith('28') || code === '42501',
    refusal: 'database.not_let_in',
    advice:
      'it does not let this user in from here. Allow it in pg_hba.conf, or add ?sslmode=verify-full to DATABASE_URL where it wants TLS.',
  },
  {
    matches: (_code, message) => /does not support SSL/.test(message),
    refusal: 'database.not_let_in',
    advice: 'it speaks no TLS. Switch TLS on there, or take sslmode out of DATABASE_URL.',
  },
  {
    matches: (code, message) => /CERT|SELF_SIGNED|UNABLE_TO_|TLS/.test(code) || /certificate/.test(message),
    refusal: 'database.not_let_in',
    advice:
      'its certificate is not believed. Name its authority (sslrootcert=<file> in DATABASE_URL, or NODE_EXTRA_CA_CERTS), or correct the host name.',
  },
]

function explainConnect(place: string, error: unknown): DatabaseRefused {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  const known = KNOWN.find(({ matches }) => matches(code, message))
  return new DatabaseRefused(
    known?.refusal ?? 'database.unreachable',
    `The database at ${place} cannot be used: ${known?.advice ?? `${message || code}. Look at DATABASE_URL and at the log of the server.`}`,
    { cause: error },
  )
}
