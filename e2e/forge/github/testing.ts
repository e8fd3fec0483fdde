import { createSign } from 'node:crypto'
import { startGithub } from './index.ts'

/** A JWT of an app; `claims` replace its usual ones. */
export function signJwt(
  privateKey: string,
  issuer: string | number,
  claims: Readonly<Record<string, unknown>> = {},
): string {
  const now = Math.floor(Date.now() / 1000)
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iat: now - 60, exp: now + 540, iss: String(issuer), ...claims })}`
  return `${signed}.${createSign('sha256').update(signed).sign(privateKey, 'base64url')}`
}

export const PERMISSIONS = {
  contents: 'read',
  pull_requests: 'write',
  statuses: 'write',
  checks: 'write',
  issues: 'write',
  repository_hooks: 'write',
}

export const EVENTS = ['push', 'pull_request', 'issue_comment', 'check_run']

/** A forge with an organisation, a repository of Git with a pull request, and an app that is installed there. */
export async function startWithApp(hookUrl: string) {
  const forge = await startGithub()
  await forge.addRepository('acme/shop', { files: { 'README.md': 'a shop\n' } })
  const { app, privateKey } = await forge.addApp('acme', {
    name: 'Signal',
    url: 'https://signalbox.example',
    hook_attributes: { url: hookUrl },
    default_permissions: PERMISSIONS,
    default_events: EVENTS,
  })
  const installation = forge.install(app, 'acme', ['acme/shop'])
  return { forge, api: `${forge.url}/api/v3`, app, privateKey, installation, jwt: () => signJwt(privateKey, app.id) }
}
