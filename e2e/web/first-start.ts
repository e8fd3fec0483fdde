import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { House } from '../house/house.ts'

/** A person of the first start, and what is done on the way from the bootstrap token to the team's first run. */
export interface FirstStart {
  readonly login: string
  readonly password: string
  /** At each step, before it is done. */
  look(step: SetupStep): Promise<void>
}

export const SETUP_STEPS = ['token', 'administrator', 'address', 'team', 'run'] as const
export type SetupStep = (typeof SETUP_STEPS)[number]

/** The token that the first start made in the data folder. */
export function readBootstrapToken({ dataDir }: Pick<House, 'dataDir'>): string {
  return readFileSync(join(dataDir, 'bootstrap-token'), 'utf8').trim()
}

/** Goes through the setup of a fresh house up to its last step, and leaves the button of the first run to be pressed. */
export async function goThroughSetup(page: Page, house: House, { login, password, look }: FirstStart): Promise<void> {
  const button = (name: string) => page.getByRole('button', { name })
  await page.goto(house.url)
  await page.getByRole('heading', { name: 'Prove that it is yours' }).waitFor()
  await look('token')
  await page.getByRole('textbox', { name: 'Bootstrap token' }).fill(readBootstrapToken(house))
  await button('Go on').click()

  await page.getByRole('heading', { name: 'Create the administrator' }).waitFor()
  await look('administrator')
  await page.getByLabel('Login').fill(login)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await button('Create the administrator').click()

  await page.getByRole('heading', { name: 'Check the address' }).waitFor()
  await button('Revoke the bootstrap token').waitFor()
  await look('address')
  await button('Revoke the bootstrap token').click()
  await page.getByText('The bootstrap token is revoked.').waitFor()
  await button('Go on').click()

  await page.getByLabel('Path of the team').waitFor()
  await look('team')
  await page.getByLabel('Path of the team').fill('acme')
  await button('Go on with this team').click()

  await button('Run it').waitFor()
  await look('run')
}
