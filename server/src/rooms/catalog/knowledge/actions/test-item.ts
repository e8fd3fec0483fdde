import type { KnowledgeTest, KnowledgeTestResult } from '@signalbox/contracts/knowledge'
import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { type JudgedPlace, type JudgedRun, trialOf } from '../rules/index.ts'
import { getVisibleItem } from './find-item.ts'

/** The verdict of one item, by its id or identifier, on a run, step or task that the caller describes. Throws invalid_request (400), not_found (404). */
export async function testItem(
  means: Means,
  caller: Caller,
  sample: KnowledgeTest & { readonly item: string },
): Promise<KnowledgeTestResult> {
  const item = await getVisibleItem(means, caller, sample.item)
  const place = readPlace(sample)
  const now = sample.now === undefined ? means.clock.now() : new Date(sample.now)
  const { applies, judged, violation } = trialOf(item)(readRun(sample, caller), place, now)
  return { at: place.at, applies, judged, violation }
}

function readRun({ run }: KnowledgeTest, caller: Caller): JudgedRun {
  return {
    pipeline: run.pipeline,
    teamPath: run.team_path ?? run.pipeline.slice(0, Math.max(0, run.pipeline.lastIndexOf('/'))),
    scope: run.scope,
    initiator: run.initiator ?? { kind: caller.kind, name: caller.name },
    cause: run.cause ?? 'request',
    repository: run.repository ?? null,
    branch: run.branch ?? null,
    untrusted: run.untrusted ?? false,
    variables: run.variables ?? {},
  }
}

function readPlace({ step, task }: KnowledgeTest): JudgedPlace {
  if (!step) {
    if (!task) return { at: 'run' }
    const message = 'is required beside task: a task belongs to one'
    throw platformProblem('invalid_request', `step ${message}.`, { errors: [{ field: 'step', message }] })
  }
  const images = step.images ?? task?.images ?? (task?.image ? [task.image] : [])
  const known = { name: step.name, scope: step.scope ?? null, images }
  if (!task) return { at: 'step', step: known }
  return {
    at: 'task',
    step: known,
    task: {
      name: task.name,
      kind: task.kind ?? 'run',
      image: task.image ?? null,
      images: task.images ?? (task.image ? [task.image] : []),
      profile: task.profile ?? null,
      commands: task.commands ?? '',
    },
  }
}
