import type { UnmetCondition } from '#rooms/catalog/runners'
import { counted, type Lack, type Queue, type RunOutlook, runEvidence, spell, type Telling } from './outlook.ts'

/** Of a run that has not begun. */
export function tellQueue(run: RunOutlook, telling: Telling): void {
  if (run.emergency) tellEmergency(run, telling)
  if (run.hold?.kind === 'fork') tellFork(run, run.hold.pullRequest, telling)
  if (run.hold?.kind === 'group') tellGroup(run, run.hold, telling)
  if (run.queue && !run.emergency) tellRunners(run, run.queue, telling)
  if (run.queueDeadlineAt && run.queue) {
    telling.findings.push({
      code: 'run.queue_deadline',
      sentence: `The run ends as timed_out at ${run.queueDeadlineAt.toISOString()} where no runner takes it before.`,
      evidence: [runEvidence(run.id)],
    })
  }
}

export function tellEmergency({ id, scope, emergency }: RunOutlook, { findings, whatToDo, quotes }: Telling): void {
  if (!emergency) return
  const { seen } = emergency
  const evidence = seen ? [{ kind: 'emergency', id: seen.id } as const] : [runEvidence(id)]
  findings.push({
    code: 'run.emergency',
    sentence: `An emergency holds in ${scope} since ${emergency.declaredAt.toISOString()}: nothing begins there until it is lifted.`,
    evidence,
  })
  if (seen) quotes.push({ about: 'run.emergency', text: seen.reason })
  whatToDo.push({
    code: 'do.lift_emergency',
    sentence: 'Ask a member with emergency.declare whether the emergency is over and can be lifted.',
    evidence,
  })
}

function tellFork(run: RunOutlook, pullRequest: number | null, { findings, whatToDo }: Telling): void {
  const which = pullRequest === null ? 'its pull request' : `pull request ${pullRequest}`
  findings.push({
    code: 'run.waits_for_fork_approval',
    sentence: `The run waits for the approval of a member: ${which} comes from a fork or an unknown place.`,
    evidence: [runEvidence(run.id), { kind: 'approval', id: 'fork', run_id: run.id }],
  })
  const who = run.mayApproveForks ? 'You may decide' : `A member with run.approve on ${run.teamPath} may decide`
  whatToDo.push({
    code: 'do.approve_fork',
    sentence: `${who}: look at the commit, then POST /v1/runs/${run.id}/approvals/fork.`,
    evidence: [{ kind: 'approval', id: 'fork', run_id: run.id }],
  })
}

interface GroupHold {
  readonly group: string
  readonly behind: string | undefined
}

function tellGroup(run: RunOutlook, { group, behind }: GroupHold, { findings, whatToDo, quotes }: Telling): void {
  quotes.push({ about: 'run.waits_for_turn', text: group })
  if (behind === undefined) {
    findings.push({
      code: 'run.waits_for_turn',
      sentence: 'The run is next in its concurrency group and is about to be queued.',
      evidence: [runEvidence(run.id)],
    })
    return
  }
  findings.push({
    code: 'run.waits_for_turn',
    sentence: `The run waits for its turn in its concurrency group, behind run ${behind}.`,
    evidence: [runEvidence(run.id), runEvidence(behind)],
  })
  whatToDo.push({
    code: 'do.end_run_before',
    sentence: `Wait for the end of run ${behind}, ask why that one waits, or cancel it.`,
    evidence: [runEvidence(behind)],
  })
}

function tellRunners(run: RunOutlook, queue: Queue, telling: Telling): void {
  const { findings } = telling
  const evidence = [runEvidence(run.id)]
  if (queue.reason !== null && queue.unmet !== 'free') {
    findings.push({ code: 'run.no_runner', sentence: queue.reason, evidence })
    tellRemedy(run, queue, telling)
    return
  }
  tellPlace(run, queue, telling)
  if (queue.reason === null && queue.before === 0) {
    const sentence = 'A runner can take the run; it is about to be assigned.'
    findings.push({ code: 'run.about_to_begin', sentence, evidence })
    return
  }
  if (queue.places) tellTaken(run, queue.places, telling)
  tellRemedy(run, queue, telling)
}

function tellTaken(run: RunOutlook, places: NonNullable<Queue['places']>, { findings }: Telling): void {
  const { taken, total, runners } = places
  const whose = runners === 1 ? 'the runner that can take it' : `the ${runners} runners that can take it`
  findings.push({
    code: 'run.no_place',
    sentence: `${taken} of ${counted(total, 'place')} are taken at ${whose}.`,
    evidence: [runEvidence(run.id)],
  })
}

function tellPlace(run: RunOutlook, { before, counted: most, estimateSeconds }: Queue, { findings }: Telling): void {
  if (before === 0) return
  const many =
    before === null ? `More than ${most} runs begin` : `${counted(before, 'run')} ${before === 1 ? 'begins' : 'begin'}`
  const when =
    estimateSeconds === null ? '' : ` At the pace of the last hour it begins in about ${spell(estimateSeconds * 1000)}.`
  findings.push({ code: 'run.place', sentence: `${many} before it.${when}`, evidence: [runEvidence(run.id)] })
}

/** What helps where no runner can take something. */
export function tellRemedy(run: RunOutlook, { unmet }: Lack, { whatToDo }: Telling): void {
  const sentence = unmet && REMEDIES[unmet]
  const known = whatToDo.some((each) => each.sentence === sentence)
  if (sentence && !known) whatToDo.push({ code: `do.runner_${unmet}`, sentence, evidence: [runEvidence(run.id)] })
}

const REMEDIES: Readonly<Record<UnmetCondition, string>> = {
  scope: 'Enrol a runner that serves the scope, or add the scope to the patterns of a runner.',
  executor: 'Start a runner that can do so, or choose another executor in the profile.',
  labels: 'Give the labels to a runner that serves the scope, or ask for others in the profile.',
  enabled: 'Enable a runner that serves the scope.',
  working: 'End the drain of a runner that serves the scope, or start another one.',
  reachable: 'Look at the machines of these runners: their programs hold no connection.',
  free: 'Wait for a place, raise the capacity of a runner, or start another one.',
}
