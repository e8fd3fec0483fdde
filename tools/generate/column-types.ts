import pg from 'pg'

/** A list in jsonb is written as text: the driver takes an array for one of PostgreSQL. */
function list(item: string): string {
  return `ColumnType<${item}[], string, string>`
}

const TEXTS = 'Readonly<Record<string, string>>'
const RESOURCES = '{ cpus?: number; memory_mb?: number }'
const REQUIREMENT = '{ executor: "container" | "host"; labels: readonly string[] }'

/** Types of columns that PostgreSQL does not tell: the content of jsonb. A type that is not built in is imported. */
const JSON_COLUMNS: Readonly<Record<string, string>> = {
  'approval_decisions.fields': 'Record<string, string>',
  'approval_requests.fields': list('import("@signalbox/pipeline/graph").GraphApprovalField'),
  'audit_records.after': 'unknown',
  'audit_records.before': 'unknown',
  'external_triggers.variables': TEXTS,
  'git_app_flows.document': 'unknown',
  'git_apps.permissions': TEXTS,
  'git_installations.pages': list('{ path: string; etag: string; ids: readonly string[] }'),
  'git_installations.permissions': TEXTS,
  'profiles.environment': TEXTS,
  'profiles.resources': RESOURCES,
  'attempts.images': list('{ service: string | null; image: string; digest: string }') + ' | null',
  'attempts.requirement': `${REQUIREMENT} & { runner?: string }`,
  'run_tasks.outputs': 'Record<string, { value: string } | { sealed: string }>',
  'runs.ending': '{ status: "canceled" | "failure" | "timed_out"; reason: string } | null',
  'runs.profile_environment': TEXTS,
  'runs.profiles': `Generated<Readonly<Record<string, { requirement: ${REQUIREMENT}; environment: ${TEXTS}; image: string | null; resources: ${RESOURCES} }>>>`,
  'runs.requirement': REQUIREMENT,
  'runs.resources': `Generated<${RESOURCES}>`,
  'runs.sealed_variables': `Generated<${TEXTS}>`,
  'runs.variables': TEXTS,
  'schedules.variables': TEXTS,
  'settings.document': 'unknown',
  'settings.sealed': 'Record<string, string>',
}

/** The adapters know the list of forges. */
const OPEN = ['webhook_sources.provider']

const CHECKS = `
  select c.conrelid::regclass::text as "table", a.attname as "column", pg_get_constraintdef(c.oid) as definition,
    a.attnotnull as required, a.atthasdef as has_default
  from pg_constraint c
  join pg_attribute a on a.attrelid = c.conrelid and array[a.attnum] = c.conkey
  where c.contype = 'c' and c.connamespace = 'public'::regnamespace`

interface Check {
  readonly table: string
  readonly column: string
  readonly definition: string
  readonly required: boolean
  readonly has_default: boolean
}

/** `CHECK ((kind = ANY (ARRAY['a'::text, 'b'::text])))`, alone and of one column. */
const ONE_OF = /^CHECK \(\(\w+ = ANY \(ARRAY\[((?:'[^']*'::text(?:, )?)+)\]\)\)\)$/

/**
 * The narrower type that the schema gives a column, by `<table>.<column>`: a check that allows some texts is their
 * union.
 */
export async function readColumnTypes(url: string): Promise<Readonly<Record<string, string>>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Check>(CHECKS)
    const unions = rows.flatMap(({ table, column, definition, required, has_default }) => {
      const texts = ONE_OF.exec(definition)?.[1]
      if (texts === undefined || OPEN.includes(`${table}.${column}`)) return []
      const union = `${texts.replaceAll('::text', '').replaceAll(', ', ' | ')}${required ? '' : ' | null'}`
      return [[`${table}.${column}`, has_default ? `Generated<${union}>` : union]]
    })
    return { ...Object.fromEntries(unions), ...JSON_COLUMNS }
  } finally {
    await client.end()
  }
}
