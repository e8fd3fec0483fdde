/** The subject of a run. Null: absent or unknown. */
export interface ChangeFacts {
  /** Of the run; null where there is none yet. */
  readonly id: string | null
  readonly cause: string
  /** `owner/name`. */
  readonly repository: string | null
  /** In full: `refs/heads/main`. */
  readonly ref: string | null
  /** Null for a pull request: the branch that it wants to enter is not the branch of its commit. */
  readonly branch: string | null
  readonly tag: string | null
  readonly commit: string | null
  readonly pullRequest: number | null
  /** Bare names of branches, of a pull request: which one it wants to enter, and where its commits lie. */
  readonly baseRef: string | null
  readonly headRef: string | null
}

export interface RunFacts extends ChangeFacts {
  readonly id: string
  readonly pipeline: string
  readonly scope: string
  /** RFC 3339, UTC: the instant of a schedule that the run is for. */
  readonly scheduledAt: string | null
}

/** A name behind `run.` in an expression. */
interface RunName<Facts> {
  readonly name: string
  readonly meaning: string
  readonly read: (facts: Facts) => string | number | null
}

/** The names known before there is a run, too: triggers see these. */
const CHANGE_NAMES: readonly RunName<ChangeFacts>[] = [
  {
    name: 'cause',
    meaning: '`event`, `request`, `rerun`, `schedule`, `external` or `pipeline` (a task of another run).',
    read: ({ cause }) => cause,
  },
  { name: 'repository', meaning: 'Name of the repository, `owner/name`.', read: ({ repository }) => repository },
  { name: 'ref', meaning: 'Full name of the ref, such as `refs/heads/main`.', read: ({ ref }) => ref },
  {
    name: 'branch',
    meaning: 'Name of the branch; null for a tag and for a pull request.',
    read: ({ branch }) => branch,
  },
  { name: 'tag', meaning: 'Name of the tag.', read: ({ tag }) => tag },
  { name: 'commit', meaning: 'Whole id of the commit.', read: ({ commit }) => commit },
  { name: 'pull_request', meaning: 'Number of the pull request.', read: ({ pullRequest }) => pullRequest },
  {
    name: 'base_ref',
    meaning: 'Name of the branch that the pull request wants to enter.',
    read: ({ baseRef }) => baseRef,
  },
  {
    name: 'head_ref',
    meaning: 'Name of the branch from which the pull request comes. The author of the pull request chooses the name.',
    read: ({ headRef }) => headRef,
  },
  {
    name: 'group_key',
    meaning:
      'Text for a concurrency group: all runs of one pull request, or of one ref of a repository, have the same text.',
    read: groupKeyOf,
  },
]

const OWN_NAMES: readonly RunName<RunFacts>[] = [
  { name: 'id', meaning: 'Id of the run.', read: ({ id }) => id },
  { name: 'pipeline', meaning: 'Identifier of the pipeline, `<team path>/<name>`.', read: ({ pipeline }) => pipeline },
  { name: 'scope', meaning: 'Scope of the run.', read: ({ scope }) => scope },
  {
    name: 'scheduled_at',
    meaning: 'The instant of the schedule that the run is for, RFC 3339 in UTC, whenever the run began.',
    read: ({ scheduledAt }) => scheduledAt,
  },
]

export const RUN_NAMES: readonly RunName<RunFacts>[] = [...OWN_NAMES, ...CHANGE_NAMES]

/** The names behind `run.` where there is no run yet: in triggers. */
export const TRIGGER_RUN_NAMES: readonly string[] = CHANGE_NAMES.map(({ name }) => name)

/** `run` as expressions see it. Every name is always there: a comparison with a null name is false. */
export function describeRun(facts: RunFacts): Readonly<Record<string, string | number | null>> {
  return Object.fromEntries(RUN_NAMES.map(({ name, read }) => [name, read(facts)]))
}

/** `run` as expressions of triggers see it. */
export function describeChange(facts: ChangeFacts): Readonly<Record<string, string | number | null>> {
  return Object.fromEntries(CHANGE_NAMES.map(({ name, read }) => [name, read(facts)]))
}

/** A run that is of nothing known shares its key with no other. */
function groupKeyOf({ id, repository, ref, pullRequest }: ChangeFacts): string | null {
  if (pullRequest !== null) return `${repository ?? ''}#${pullRequest}`
  if (ref !== null) return `${repository ?? ''}@${ref}`
  return repository ?? id
}

const BRANCHES = 'refs/heads/'
const TAGS = 'refs/tags/'

/** The names that follow from the ref; `branch` where the ref does not say it. */
export function namesOfRef(
  ref: string | null,
  branch: string | null,
  pullRequest: number | null,
): Pick<ChangeFacts, 'branch' | 'tag'> {
  const tag = ref?.startsWith(TAGS) ? ref.slice(TAGS.length) : null
  if (pullRequest !== null || tag !== null) return { branch: null, tag }
  return { branch: branch ?? (ref?.startsWith(BRANCHES) ? ref.slice(BRANCHES.length) : null), tag: null }
}
