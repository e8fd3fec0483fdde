import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parse } from 'yaml'
import { startPodman, type TestPodman, withoutPodman } from '../runner/src/executors/container/testing/podman.ts'
import type { Api } from './house/api.ts'
import { makeGitFolder, makeRepository, type Repository } from './house/git.ts'
import { type GitHost, startGitHost } from './house/git-host.ts'
import { type House, startHouse } from './house/house.ts'
import { type RunnerProcess, startRunner } from './house/runner.ts'
import { isFinal, type LogEntry, runEnd, runLog } from './house/runs.ts'
import { play } from './house/story/play.ts'
import { setStage } from './house/story/stage.ts'
import type { Story } from './house/story/story.ts'
import { deliverPush, makePipeline, makeTeam, makeTrigger, type Team } from './house/team.ts'
import { waitFor } from './house/wait.ts'

/** The fields of scenario.yaml; see e2e/README.md. */
interface Scenario {
  readonly says: string
  readonly needs?: 'containers'
  readonly cause: 'push' | 'request'
  readonly files?: Record<string, string>
  readonly message?: string
  readonly ref?: string
  readonly variables?: Record<string, string>
  readonly secrets?: Record<string, string>
  /** Cancels the run once this text is in its log. */
  readonly cancel_when?: string
  readonly run: string
  readonly steps?: Record<string, string>
  readonly tasks?: Record<string, string>
  readonly attempts?: Record<string, number>
  readonly log?: string[]
  readonly log_lacks?: string[]
}

const FOLDER = join(import.meta.dirname, 'scenarios')

describe('scenarios: a cause in, the expected statuses and lines out, on the whole product', { concurrency: 4 }, () => {
  let house: House
  let runner: RunnerProcess
  let git: GitHost
  let podman: TestPodman | undefined
  const noContainers = withoutPodman()
  const gitFolder = makeGitFolder()
  before(async () => {
    git = await startGitHost()
    house = await startHouse({ env: { LOCAL_REPOSITORIES: gitFolder } })
    podman = noContainers === false ? await startPodman() : undefined
    podman?.makeImage('localhost/tiny:1')
    podman?.makeImage('localhost/app:1', 'USER app')
    // Not every machine can connect containers to each other; a network of their own they have everywhere.
    const host = podman?.host ?? 'none'
    const executors = ['--executors', 'host,container', '--container-host', host, '--container-network', 'none']
    runner = await startRunner(house, { capacity: 16, flags: [...executors, '--local-repositories', gitFolder] })
  })
  after(async () => {
    await runner.stop()
    await podman?.[Symbol.asyncDispose]()
    await house.stop()
    git.close()
    rmSync(gitFolder, { recursive: true, force: true })
  })

  for (const name of readdirSync(FOLDER).sort()) {
    const scenario: Scenario | Story = parse(readFileSync(join(FOLDER, name, 'scenario.yaml'), 'utf8'), { merge: true })
    const skip = scenario.needs === 'containers' && noContainers
    if ('story' in scenario) {
      for (const [at, words] of (scenario.each ?? [{}]).entries()) {
        const which = [name, ...Object.values(words)].join(' ')
        const slug = scenario.each ? `${name}-${at + 1}` : name
        test(`${which}: ${scenario.says}`, { skip }, () =>
          tell(house, git, scenario, { name, slug: toSlug(slug), words }),
        )
      }
      continue
    }
    test(`${name}: ${scenario.says}`, { skip }, async () => {
      const team = await makeTeam(house.api, toSlug(name))
      for (const [secret, value] of Object.entries(scenario.secrets ?? {})) {
        await house.api.send('POST', '/v1/secrets', { team_path: team.path, name: secret, value })
      }
      const document = readFileSync(join(FOLDER, name, 'pipeline.yaml'), 'utf8').replaceAll('TEAM/', `${team.path}/`)
      const pipeline = await makePipeline(house.api, team, document)
      const runId = await cause(house, team, pipeline, scenario, name, gitFolder)
      if (scenario.cancel_when) await cancelWhen(house, runId, scenario.cancel_when)
      await verify(house, runId, scenario)
    })
  }
})

function toSlug(name: string): string {
  return name.replaceAll('_', '-')
}

/** A story: its acts, one after the other. */
async function tell(
  { api }: House,
  git: GitHost,
  story: Story,
  {
    name,
    slug,
    words,
  }: { readonly name: string; readonly slug: string; readonly words: Readonly<Record<string, string>> },
): Promise<void> {
  const documents = readdirSync(join(FOLDER, name)).filter((file) => file !== 'scenario.yaml')
  const pipelines = documents.map((file) => readFileSync(join(FOLDER, name, file), 'utf8'))
  const stage = await setStage({ api, git, slug, pipelines, words }, story)
  try {
    for (const act of story.story) await play(stage, act)
  } finally {
    await cancelLeft(api, slug)
  }
}

/** Where a story breaks off its runs would go on, and the runner waits for them at the end. */
async function cancelLeft(api: Api, team: string): Promise<void> {
  const runs = await api.get<{ run_id: string; status: string }[]>(`/v1/runs?teamId=${team}`)
  for (const run of runs.filter((one) => !isFinal(one))) {
    await api.ask('POST', `/v1/runs/${run.run_id}/cancel`)
  }
}

async function cause(
  house: House,
  team: Team,
  pipeline: string,
  scenario: Scenario,
  name: string,
  gitFolder: string,
): Promise<string> {
  if (scenario.cause === 'request') {
    const started = await house.api.send<{ run_id: string; status: string }>(
      'POST',
      `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`,
      { scope: team.scope, ...(scenario.variables ? { variables: scenario.variables } : {}) },
    )
    assert.equal(started.status, 'queued')
    return started.run_id
  }
  await makeTrigger(house.api, team, 'on-push', pipeline)
  const repository: Repository = makeRepository(mkdtempSync(join(gitFolder, name)))
  const commits = repository.push(scenario.files ?? { 'README.md': name }, scenario.message ?? name)
  const ref = scenario.ref ? { ref: scenario.ref } : {}
  const delivered = await deliverPush(house.api, team, repository.cloneUrl, { ...commits, ...ref })
  assert.equal(delivered.status, 202)
  const deliveries = await house.api.get<{ delivery_id: string; run_ids: string[] }[]>(
    `/v1/git-webhook-sources/${team.sourceId}/deliveries`,
  )
  const runId = deliveries.find((delivery) => delivery.delivery_id === delivered.deliveryId)?.run_ids[0]
  assert.ok(runId, 'the delivery names its run')
  return runId
}

async function cancelWhen(house: House, runId: string, text: string): Promise<void> {
  await waitFor(
    `"${text}" in the log`,
    () => runLog(house.api, runId),
    (log) => log.some((entry) => entry.line.includes(text)),
  )
  await house.api.send('POST', `/v1/runs/${runId}/cancel`)
}

async function verify(house: House, runId: string, scenario: Scenario): Promise<void> {
  const run = await runEnd(house.api, runId)
  const log = await runLog(house.api, runId)
  const seen = `${JSON.stringify(run, null, 1)}\n${log.map(show).join('\n')}`
  assert.equal(run.status, scenario.run, seen)
  for (const [step, status] of Object.entries(scenario.steps ?? {})) {
    assert.equal(run.steps.find((candidate) => candidate.name === step)?.status, status, `step ${step}\n${seen}`)
  }
  const tasks = new Map(run.steps.flatMap((step) => step.tasks.map((task) => [`${step.name}.${task.name}`, task])))
  for (const [task, status] of Object.entries(scenario.tasks ?? {})) {
    assert.equal(tasks.get(task)?.status, status, `task ${task}\n${seen}`)
  }
  for (const [task, attempt] of Object.entries(scenario.attempts ?? {})) assert.equal(tasks.get(task)?.attempt, attempt)
  for (const text of scenario.log ?? [])
    assert.ok(
      log.some((entry) => entry.line.includes(text)),
      `no "${text}" in\n${seen}`,
    )
  for (const text of scenario.log_lacks ?? [])
    assert.ok(!log.some((entry) => entry.line.includes(text)), `"${text}" in\n${seen}`)
}

function show(entry: LogEntry): string {
  return `${entry.step}.${entry.task}#${entry.attempt} ${entry.line}`
}
