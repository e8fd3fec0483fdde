import { type BoundValue, bindValue } from '@signalbox/pipeline/expressions'
import { environmentOf, type JudgedPlace, type JudgedRun, scopeOf } from './judged.ts'
import { LOCAL_TIME_PARTS, type LocalTime } from './local-time.ts'

export type RuleBindings = Readonly<Record<string, BoundValue>>

/** The parts that rules may read of each name; any other part is a mistake. */
export const KNOWN_PARTS: Readonly<Record<string, readonly string[]>> = {
  run: [
    'pipeline',
    'team_path',
    'scope',
    'initiator',
    'cause',
    'repository',
    'branch',
    'untrusted',
    'variables',
  ] satisfies readonly (keyof ReturnType<typeof tellRun>)[],
  'run.initiator': ['kind', 'name'],
  step: ['name', 'scope', 'images'],
  task: ['name', 'kind', 'image', 'images', 'profile', 'commands'],
  now: LOCAL_TIME_PARTS,
}

/** The values of `names` at a place. The time is bound by `bindTime`, because each item has a time zone of its own. */
export function bindPlace(run: JudgedRun, place: JudgedPlace, names: ReadonlySet<string>): RuleBindings {
  const scope = scopeOf(run, place)
  const bound: Record<string, BoundValue> = { environment: environmentOf(scope) }
  if (names.has('run')) bound['run'] = bindValue(tellRun(run))
  if (names.has('step') && place.at !== 'run') {
    const { name, images } = place.step
    bound['step'] = bindValue({ name, scope, images })
  }
  if (names.has('task') && place.at === 'task') bound['task'] = bindValue({ ...place.task })
  return bound
}

export function bindTime(bindings: RuleBindings, time: LocalTime): RuleBindings {
  return { ...bindings, now: bindValue(time) }
}

function tellRun(run: JudgedRun) {
  return {
    pipeline: run.pipeline,
    team_path: run.teamPath,
    scope: run.scope,
    initiator: { kind: run.initiator.kind, name: run.initiator.name },
    cause: run.cause,
    repository: run.repository,
    branch: run.branch,
    untrusted: run.untrusted,
    variables: run.variables,
  }
}
