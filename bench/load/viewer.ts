import type { HouseUnderTest } from '../house-under-test.ts'

/** The token of a service account that may read the team and the teams below it. */
export async function makeViewer({ house }: HouseUnderTest, path: string, name = 'viewer'): Promise<string> {
  const account = await house.api.send<{ id: string }>('POST', '/v1/service-accounts', { team_path: path, name })
  const subject = `service_account:${account.id}`
  await house.api.send('POST', '/v1/grants', { subject, role: 'viewer', team_path: path })
  const asked = { name, service_account_id: account.id }
  const { token } = await house.api.send<{ token: string }>('POST', '/v1/tokens', asked)
  return token
}
