import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Client } from '../client/client.ts'
import { tokenOfProfile } from '../config/connection.ts'
import { bootstrapTokenPath, dataDirOf, findBootstrapToken, findInstance } from '../config/local-instance.ts'
import { CommandFailed } from '../errors.ts'
import type { Surroundings } from '../surroundings.ts'
import { obtainBootstrapToken } from './bootstrap-token.ts'
import { buildPage } from './builds.ts'
import { startControlPlane } from './control-plane.ts'
import { startLocalRunner } from './local-runner.ts'
import { findPortTrouble } from './ports.ts'
import { isSet, listSetting, numberSetting, readServerSettings, textSetting } from './server-settings.ts'
import type { Supervised } from './supervised.ts'

export interface ProductOptions {
  readonly dataDir?: string
  readonly port?: number
  readonly runnerPort?: number
  readonly withRunner: boolean
  /** False: the web page is not built, whatever its build is like. */
  readonly page?: boolean
  /** The executors of that runner; default: the runner's own. */
  readonly executors?: string
  /** Makes a folder from whose repositories the runner may check out, beside the configured ones. */
  readonly placeRepositories?: (dataDir: string) => string | undefined
  /** Logs go to <data folder>/logs instead of the terminal. */
  readonly quiet: boolean
  readonly signal: AbortSignal
  /** One line for the person: something died, or was started again. */
  readonly tell: (line: string) => void
}

/** The whole product on this machine, in child processes. */
export interface Product {
  readonly url: string
  /** Where people find the web page. */
  readonly pageUrl: string
  readonly dataDir: string
  /** Undefined where no administrator's token is known here. */
  readonly token: string | undefined
  /** Where the token comes from: a file's path, or undefined where it was configured. */
  readonly tokenFile: string | undefined
  /** Then the token is that of `signalbox login`, if any. */
  readonly isBootstrapRevoked: boolean
  readonly client: Client
  /** Resolves when one part has ended for good without a stop: with the reason, and code 2 where the operator has to act. */
  readonly broken: Promise<CommandFailed>
  /** First the runner, which finishes its tasks, then the control plane. */
  stop(): Promise<void>
  /** While it stops: tasks in hand are canceled. */
  hurry(): void
  kill(): void
}

/** Starts the control plane and, unless told otherwise, one runner beside it. */
export async function startProduct(surroundings: Surroundings, options: ProductOptions): Promise<Product> {
  const settings = await readServerSettings(surroundings)
  const dataDir = dataDirOf(surroundings, options.dataDir ?? textSetting(settings, 'data_dir'))
  const running = findInstance(dataDir)
  if (running) {
    throw new CommandFailed(
      'conflict',
      `A control plane already runs on ${dataDir}: ${running.url}, process ${running.pid}.`,
      'Use that one, stop it first, or choose another --data-dir.',
    )
  }
  const port = options.port ?? numberSetting(settings, 'port') ?? 8080
  const runnerPort = options.runnerPort ?? numberSetting(settings, 'runner_port') ?? 8081
  const host = textSetting(settings, 'host') ?? '127.0.0.1'
  await requireFreePort(host, port, '--port', 'PORT')
  await requireFreePort(textSetting(settings, 'runner_host') ?? host, runnerPort, '--runner-port', 'RUNNER_PORT')

  const localRepositories = [...listSetting(settings, 'local_repositories'), options.placeRepositories?.(dataDir) ?? '']
    .filter((folder) => folder !== '')
    .join(',')
  const configured = isSet(settings, 'bootstrap_admin_token')
  const made = configured || isSet(settings, 'database_url') ? undefined : obtainBootstrapToken(dataDir)
  const env = {
    ...surroundings.env,
    LOCAL_REPOSITORIES: localRepositories,
    ...(made === undefined ? {} : { BOOTSTRAP_ADMIN_TOKEN: made }),
  }
  const logs = (name: string): { logFile?: string } =>
    options.quiet ? { logFile: resolve(dataDir, 'logs', `${name}.log`) } : {}
  const crashed =
    (name: string) =>
    (how: string, pauseMs: number | undefined): void => {
      const next =
        pauseMs === undefined ? 'The process is not started again.' : `The process is started again in ${pauseMs} ms.`
      options.tell(`The ${name} ${how}. ${next}`)
    }

  // Beside the start, which takes longer than to see that a build is fresh.
  const page = options.page === false ? undefined : buildPage(options)
  const controlPlane = await startControlPlane({
    dataDir,
    env,
    cwd: surroundings.cwd,
    port,
    runnerPort,
    ...logs('server'),
    onCrash: crashed('control plane'),
    signal: options.signal,
  })
  // The server takes the file of a revoked token away when it starts.
  const isRevoked = made !== undefined && !existsSync(bootstrapTokenPath(dataDir))
  const token = isRevoked
    ? tokenOfProfile(surroundings, controlPlane.url)
    : (made ?? findBootstrapToken(surroundings, dataDir))
  const client = new Client({ url: controlPlane.url, token, signal: options.signal })
  let runner: Supervised | undefined
  try {
    if (options.withRunner && controlPlane.runnerUrl !== undefined) {
      runner = await startLocalRunner({
        dataDir,
        runnerUrl: controlPlane.runnerUrl,
        client,
        env: surroundings.env,
        cwd: surroundings.cwd,
        ...(options.executors === undefined ? {} : { executors: options.executors }),
        ...(localRepositories === '' ? {} : { localRepositories }),
        ...logs('runner'),
        onCrash: crashed('runner'),
      })
    }
  } catch (error) {
    await controlPlane.process.stop()
    throw error
  }
  await page
  const parts = [
    { name: 'control plane', process: controlPlane.process },
    ...(runner ? [{ name: 'runner', process: runner }] : []),
  ]
  return {
    url: controlPlane.url,
    pageUrl: textSetting(settings, 'ui_url') ?? textSetting(settings, 'base_url') ?? `${controlPlane.url}/`,
    dataDir,
    token,
    tokenFile: made === undefined || isRevoked ? undefined : bootstrapTokenPath(dataDir),
    isBootstrapRevoked: isRevoked,
    client,
    broken: Promise.race(
      parts.map(async ({ name, process }) => {
        const reason = await process.ended
        if (reason === 'stopped' || reason === 'finished') return new Promise<CommandFailed>(() => undefined)
        return new CommandFailed(process.needsOperator ? 'usage' : 'unexpected', `The ${name} ${reason}.`)
      }),
    ),
    async stop() {
      await runner?.stop()
      await controlPlane.process.stop()
    },
    hurry() {
      if (runner) void runner.stop()
      else controlPlane.process.kill()
    },
    kill() {
      runner?.kill()
      controlPlane.process.kill()
    },
  }
}

async function requireFreePort(host: string, port: number, flag: string, variable: string): Promise<void> {
  const trouble = await findPortTrouble(host, port)
  if (trouble === undefined) return
  const why = trouble === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${trouble})`
  throw new CommandFailed(
    'conflict',
    `Port ${port} on ${host} ${why}.`,
    `Choose another one with ${flag} or ${variable}; 0 takes a free one. \`ss -ltnp\` shows who holds it.`,
  )
}
