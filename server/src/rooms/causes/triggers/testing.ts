import { type CompiledTrigger, compileTrigger, type Matchable, type Trigger } from './rules/index.ts'

/** A stored trigger: pushes to main of acme/widgets start acme/web/build. */
export function aStoredTrigger(overrides: Partial<Trigger> = {}): Trigger {
  const at = new Date('2026-11-21T09:00:00.000Z')
  return {
    id: '01900000-0000-7000-8000-000000000001',
    name: 'main',
    teamPath: 'acme/web',
    sourceId: null,
    sourceLostAt: null,
    repositories: ['acme/widgets'],
    events: ['push'],
    actions: [],
    branches: [],
    tags: [],
    paths: [],
    labels: [],
    draft: 'any',
    commands: [],
    commenters: [],
    skipCi: true,
    reportComment: false,
    condition: null,
    pipeline: 'acme/web/build',
    scope: 'acme/web/staging',
    variables: {},
    concurrency: null,
    enabled: true,
    owner: { kind: 'user', id: 'u', name: 'mona' },
    createdAt: at,
    updatedAt: at,
    ...overrides,
  }
}

export function aCompiledTrigger(overrides: Partial<Matchable> = {}): CompiledTrigger {
  const result = compileTrigger({ ...aStoredTrigger(), ...overrides })
  if (!result.ok) throw new Error(result.problem)
  return result.compiled
}
