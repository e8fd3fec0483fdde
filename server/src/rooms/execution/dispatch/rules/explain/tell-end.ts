import {
  counted,
  type OutlookTask,
  type RunOutlook,
  runEvidence,
  spell,
  type Telling,
  taskEvidence,
} from './outlook.ts'

/** Of the tasks that are named; more are counted. */
const MOST_NAMED = 10
const BAD = new Set(['failure', 'timed_out', 'lost'])
const NEVER_RAN = new Set(['pending', 'skipped', 'canceled'])

/** Of a run that is over. */
export function tellEnd(run: RunOutlook, telling: Telling): void {
  const { findings, quotes } = telling
  const evidence = [runEvidence(run.id)]
  const at = run.finishedAt?.toISOString() ?? ''
  const took = run.startedAt && run.finishedAt ? run.finishedAt.getTime() - run.startedAt.getTime() : undefined
  const after = took === undefined ? ', without having begun' : `, after ${spell(took)}`
  findings.push({
    code: `run.ended_${run.status}`,
    sentence: `The run ended as ${run.status} at ${at}${after}.`,
    evidence,
  })
  if (run.reason !== null) quotes.push({ about: `run.ended_${run.status}`, text: run.reason })
  tellPeople(run, telling)
  tellTasks(run, telling)
  tellNext(run, telling)
}

function tellPeople(run: RunOutlook, { findings, quotes }: Telling): void {
  for (const { step, status, decisions } of run.requests) {
    if (status !== 'rejected' && status !== 'timed_out') continue
    const what = status === 'rejected' ? 'was rejected' : 'was not approved in time'
    findings.push({
      code: status === 'rejected' ? 'run.rejected' : 'run.not_approved_in_time',
      sentence: `The step ${step} ${what}.`,
      evidence: [{ kind: 'approval', id: step, run_id: run.id }],
    })
    const comment = decisions.find(({ decision }) => decision === 'reject')?.comment
    if (comment) quotes.push({ about: 'run.rejected', text: comment })
  }
}

function tellTasks(run: RunOutlook, { findings }: Telling): void {
  const failed = run.tasks.filter(({ status }) => BAD.has(status))
  const unbegun = run.tasks.filter(({ status, attempt }) => NEVER_RAN.has(status) && attempt === undefined)
  if (failed.length > 0) {
    const named = failed.slice(0, MOST_NAMED).map(nameOf).join(', ')
    const more = failed.length > MOST_NAMED ? ` and ${failed.length - MOST_NAMED} more` : ''
    findings.push({
      code: 'run.failed_tasks',
      sentence: `${counted(failed.length, 'task')} did not succeed: ${named}${more}.`,
      evidence: failed.slice(0, MOST_NAMED).map((task) => taskEvidence(run, task)),
    })
  }
  if (failed.length > 0 && unbegun.length > 0) {
    const sentence = `${counted(unbegun.length, 'task')} never ran.`
    findings.push({ code: 'run.unbegun_tasks', sentence, evidence: [runEvidence(run.id)] })
  }
}

function tellNext({ id, status }: RunOutlook, { whatToDo }: Telling): void {
  const evidence = [runEvidence(id)]
  if (status === 'success' || status === 'canceled') return
  whatToDo.push({
    code: 'do.explain_failure',
    sentence: `Ask what failed first, and for the lines that matter: GET /v1/explain/failure?run_id=${id}.`,
    evidence,
  })
  whatToDo.push({
    code: 'do.explain_changes',
    sentence: `Ask what changed since the last success: GET /v1/explain/changes?run_id=${id}.`,
    evidence,
  })
}

function nameOf({ step, task }: OutlookTask): string {
  return `${step}/${task}`
}
