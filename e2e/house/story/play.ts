import assert from 'node:assert/strict'
import type { Api, ApiAnswer } from '../api.ts'
import { runCli } from '../cli.ts'
import { isFinal, type RunDetail, runLog } from '../runs.ts'
import { waitFor } from '../wait.ts'
import { findDifference } from './compare.ts'
import { deliver } from './deliver.ts'
import { keepWords } from './keep.ts'
import type { Stage } from './stage.ts'
import type { Act, Ask, Cli, Commit, ProviderTold, Until, Watch } from './story.ts'

/** Plays one act and fails where something is not as it says. */
export async function play(stage: Stage, written: Act): Promise<void> {
  const act: Act = JSON.parse(stage.words.fill(written))
  if ('commit' in act) commit(stage, act)
  else if ('deliver' in act) await deliver(stage, act)
  else if ('ask' in act) await ask(stage, act)
  else if ('until' in act) await until(stage, act)
  else if ('run' in act) await watch(stage.api, act)
  else if ('cli' in act) await command(stage.api, act)
  else if ('provider_knows' in act) stage.git.answer(act.provider_knows, act.body)
  else await told(stage, act)
}

function commit({ repository, words }: Stage, { commit: name, onto, ref = 'refs/heads/main', files }: Commit): void {
  const parents = onto === undefined ? [] : [onto]
  words.set(name, repository.commit(files ?? { [name]: name }, { parents, ref }))
}

async function ask(stage: Stage, { ask: line, body, yaml, as, status, answer, keep }: Ask): Promise<void> {
  const api = as === undefined ? stage.api : stage.members.get(as)
  assert.ok(api, `no member ${as}`)
  const { method, path } = readLine(line)
  const given = yaml === undefined ? await api.ask(method, path, body) : await askYaml(api, method, path, yaml)
  const seen = `${line} was answered with ${given.status} ${JSON.stringify(given.body)}`
  if (status === undefined) assert.ok(given.status < 300, seen)
  else assert.equal(given.status, status, seen)
  if (answer !== undefined) assert.equal(findDifference(answer, given.body), undefined, seen)
  keepWords(stage.words, given.body, keep)
}

function readLine(line: string): { readonly method: string; readonly path: string } {
  const [method = '', path = ''] = line.split(' ')
  return { method, path }
}

async function askYaml(
  api: Api,
  method: string,
  path: string,
  yaml: string,
): Promise<Pick<ApiAnswer, 'status' | 'body'>> {
  const headers = { authorization: `Bearer ${api.token}`, 'content-type': 'application/yaml' }
  const response = await fetch(`${api.url}${path}`, { method, headers, body: yaml })
  return { status: response.status, body: await response.json() }
}

async function until(stage: Stage, { until: line, answer, keep }: Until): Promise<void> {
  const { method, path } = readLine(line)
  const { body } = await waitFor(
    `${line} to be answered with ${JSON.stringify(answer)}`,
    () => stage.api.ask(method, path),
    (given) => findDifference(answer, given.body) === undefined,
  )
  keepWords(stage.words, body, keep)
}

async function watch(api: Api, { run: id, is, shows, log, log_lacks }: Watch): Promise<void> {
  const run = await waitFor(
    `run ${id} to be ${is}`,
    () => api.get<RunDetail>(`/v1/runs/${id}`),
    (found) => found.status === is || isFinal(found),
  )
  const lines = isFinal(run) ? (await runLog(api, id)).map((entry) => entry.line) : []
  const seen = `${JSON.stringify(run, null, 1)}\n${lines.join('\n')}`
  assert.equal(run.status, is, seen)
  if (shows !== undefined) assert.equal(findDifference(shows, run), undefined, seen)
  for (const text of log ?? [])
    assert.ok(
      lines.some((line) => line.includes(text)),
      `no "${text}" in\n${seen}`,
    )
  for (const text of log_lacks ?? []) assert.ok(!lines.some((line) => line.includes(text)), `"${text}" in\n${seen}`)
}

async function command(api: Api, { cli, exit = 0, prints }: Cli): Promise<void> {
  const ended = await runCli(api, typeof cli === 'string' ? cli.split(' ') : cli)
  assert.equal(ended.exit, exit, ended.output)
  if (prints !== undefined) assert.ok(ended.output.includes(prints), ended.output)
}

async function told({ git }: Stage, { provider_was_told: line, last }: ProviderTold): Promise<void> {
  await waitFor(
    `the provider to be told ${JSON.stringify(last)} by ${line}`,
    async () => git.told(line),
    (bodies) => findDifference(last, bodies.at(-1)) === undefined,
  )
}
