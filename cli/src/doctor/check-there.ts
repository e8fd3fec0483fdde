import { identityRoutes } from '@signalbox/contracts/access/routes'
import type { Readiness } from '@signalbox/contracts/health'
import { healthRoutes } from '@signalbox/contracts/health/routes'
import { runnerRoutes } from '@signalbox/contracts/runners/routes'
import { setupRoutes } from '@signalbox/contracts/setup/routes'
import { Client } from '../client/client.ts'
import { ApiProblem } from '../client/problem.ts'
import type { Connection } from '../config/connection.ts'
import { messageOf } from '../errors.ts'
import { checkServedCertificate } from './check-certificate.ts'
import type { Finding } from './finding.ts'

/** The control plane: is it there, is it ready, does it know us, has it a runner. */
export async function checkThere(connection: Connection | undefined): Promise<Finding[]> {
  if (!connection) {
    return [
      {
        level: 'warn',
        name: 'control plane',
        message: 'No control plane is known here.',
        remedy: 'Start one with `signalbox up`, or sign in to one with `signalbox login`.',
      },
    ]
  }
  const client = new Client({ ...connection, retries: 0, timeoutMs: 5000 })
  const health = await checkHealth(client)
  if (!health.some(({ name, level }) => name === 'control plane' && level === 'ok')) return health
  const certificate = await checkServedCertificate(client.url)
  return [
    ...health,
    ...(certificate ? [certificate] : []),
    await checkSetup(client),
    ...(await checkAccess(client, connection)),
  ]
}

async function checkHealth(client: Client): Promise<Finding[]> {
  try {
    const { checks } = await client.call(healthRoutes.getReadiness)
    return [
      { level: 'ok', name: 'control plane', message: `${client.url} is ready.` },
      ...checks.filter(({ ok }) => !ok).map(toFinding),
    ]
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 503) {
      const remedy = 'The control plane tries again by itself; its log says more.'
      const fault: Finding = {
        level: 'fail',
        name: 'control plane',
        message: `${client.url} is up and not ready.`,
        remedy,
      }
      return [
        fault,
        ...(isReadiness(error.document) ? error.document.checks.filter(({ ok }) => !ok).map(toFinding) : []),
      ]
    }
    const remedy = 'Is it started, and is the address right? `signalbox up` starts one here.'
    return [{ level: 'fail', name: 'control plane', message: messageOf(error), remedy }]
  }
}

/** Not where something in between answered. */
function isReadiness(document: unknown): document is Readiness {
  return typeof document === 'object' && document !== null && 'checks' in document && Array.isArray(document.checks)
}

function toFinding({ name, message }: { name: string; message: string }): Finding {
  return { level: 'fail', name, message, remedy: 'The log of the control plane says more.' }
}

async function checkSetup(client: Client): Promise<Finding> {
  try {
    const { ready, blockers } = await client.call(setupRoutes.getPreflight)
    const [first] = blockers
    if (ready || !first) return { level: 'ok', name: 'setup', message: 'Setup is done.' }
    return { level: 'fail', name: 'setup', message: first.message, remedy: first.remedy }
  } catch (error) {
    return { level: 'warn', name: 'setup', message: messageOf(error) }
  }
}

async function checkAccess(client: Client, connection: Connection): Promise<Finding[]> {
  if (connection.token === undefined) {
    const remedy = 'Sign in with `signalbox login`, or set SIGNALBOX_TOKEN.'
    return [{ level: 'warn', name: 'token', message: 'No token is known for it.', remedy }]
  }
  try {
    await client.call(identityRoutes.getMe)
  } catch (error) {
    const remedy = 'Make a new one with `signalbox token create`, or sign in again.'
    return [{ level: 'fail', name: 'token', message: messageOf(error), remedy }]
  }
  return [
    { level: 'ok', name: 'token', message: `The token is valid (from: ${connection.origin}).` },
    ...(await checkBootstrap(client)),
    await checkRunners(client),
  ]
}

/** Empty where the caller is no administrator: only administrators can revoke the bootstrap token. */
async function checkBootstrap(client: Client): Promise<Finding[]> {
  try {
    const {
      valid,
      configured,
      administrator_exists: administratorExists,
    } = await client.call(identityRoutes.getBootstrap)
    if (!valid || !administratorExists) return []
    const message = `The bootstrap token${configured ? ', which is configured,' : ''} still is an administrator.`
    const remedy = 'End it for good with `signalbox setup revoke-bootstrap`, signed in as an administrator.'
    return [{ level: 'warn', name: 'bootstrap', message, remedy }]
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 403) return []
    return [{ level: 'warn', name: 'bootstrap', message: messageOf(error) }]
  }
}

async function checkRunners(client: Client): Promise<Finding> {
  try {
    const states = await client.call(runnerRoutes.listRunners)
    const ready = states.filter(({ connected, enabled }) => connected && enabled).length
    if (ready > 0) return { level: 'ok', name: 'runners', message: `${ready} of ${states.length} are connected.` }
    const remedy = '`signalbox up` starts one; `signalbox runner enrol --help` says how others join.'
    return { level: 'warn', name: 'runners', message: 'No runner is connected: runs stay queued.', remedy }
  } catch (error) {
    return { level: 'warn', name: 'runners', message: messageOf(error) }
  }
}
