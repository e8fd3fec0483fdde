import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { startLocalProvider } from '../../server/src/adapters/openid/testing.ts'
import { signIn } from '../house/browser.ts'
import { type House, makeDataDir, startHouse } from '../house/house.ts'
import { type RunnerProcess, startRunner } from '../house/runner.ts'
import { startBrowser, whyNoBrowser } from './browser.ts'
import { goThroughSetup, readBootstrapToken, SETUP_STEPS, type SetupStep } from './first-start.ts'
import { findFaultsOfDialog, findFaultsOfPage } from './look.ts'
import type { Visit } from './open-page.ts'
import { rememberSignIn, SIGNED_IN } from './people.ts'
import { Seats } from './seats.ts'

const PASSWORD = 'correct horse battery'
const ENDED = 'Your session has ended'

/** One installation from its first start on: each story goes on where the one before ended. */
describe('getting in', { skip: whyNoBrowser() }, () => {
  const ends = new AsyncDisposableStack()
  const dataDir = makeDataDir()
  let house: House
  let seats: Seats
  let provider: Awaited<ReturnType<typeof startLocalProvider>>

  before(async () => {
    ends.defer(() => rmSync(dataDir, { recursive: true, force: true }))
    const ports = { port: await freePort(), runnerPort: await freePort() }
    const redirect = `http://127.0.0.1:${ports.port}/v1/sign-in/company/callback`
    provider = ends.use(await startLocalProvider([{ id: 'signalbox', secret: 'hush', redirectUris: [redirect] }]))
    const client = { client_id: 'signalbox', client_secret: 'hush', issuer: provider.issuer }
    const company = { id: 'company', name: 'the company account', ...client, scopes: ['profile'], create_users: true }
    // No configured token: the first start makes one in the data folder.
    const env = { BOOTSTRAP_ADMIN_TOKEN: '', SIGN_IN_PROVIDERS: JSON.stringify([company]) }
    house = ends.adopt(await startHouse({ dataDir, ports, env }), (begun) => begun.stop())
    const browser = ends.adopt(await startBrowser(), (begun) => begun.close())
    seats = new Seats({ browser, house, people: {} })
  })
  after(() => ends.disposeAsync())

  /** Nobody has signed in yet. */
  const visit = (story: (visit: Visit) => Promise<void>): Promise<void> => seats.begin({}, story)

  async function signInByPassword(page: Page, login: string, password = PASSWORD): Promise<void> {
    await page.getByLabel('Login').fill(login)
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  const hash = (page: Page): string => new URL(page.url()).hash

  /** The browser has signed in before, and its session has ended since. */
  const signedInBefore = (page: Page): Promise<void> => page.evaluate(rememberSignIn, SIGNED_IN)

  test('a browser that knew another installation is led to the setup', async () => {
    await visit(async ({ page, expect }) => {
      expect(/^answer: GET \/v1\/auth\/me 401$/)
      await signedInBefore(page)
      await page.goto(`${house.url}/#/t/acme/pipelines`)
      await page.getByRole('heading', { name: 'Prove that it is yours' }).waitFor()
    })
  })

  test('the first start: from the bootstrap token to a finished run', async () => {
    await visit(async ({ page, expect }) => {
      // What was typed first is wrong.
      expect(/^answer: GET \/v1\/auth\/me 401$/)
      const token = readBootstrapToken(house)
      const administrator = house.api.as(token)
      let runner: RunnerProcess | undefined
      const looked: string[] = []
      async function look(step: SetupStep): Promise<void> {
        looked.push(step)
        if (step === 'token') {
          await page.getByRole('textbox', { name: 'Bootstrap token' }).fill('sbxb_wrong')
          await page.getByRole('button', { name: 'Go on' }).click()
          await page.getByText('This is not the bootstrap token of this installation.').waitFor()
        } else {
          assert.ok(!(await page.content()).includes(token), 'the token stands nowhere')
        }
        if (step === 'address') {
          runner = await startRunner({ ...house, api: administrator }, { name: 'first', capacity: 2 })
        }
        if (step === 'team') assert.equal((await administrator.ask('GET', '/v1/auth/me')).status, 401)
        assert.deepEqual(await findFaultsOfPage(page), [], `the step ${step}`)
      }
      try {
        await goThroughSetup(page, house, { login: 'ada', password: PASSWORD, look })
        assert.deepEqual(looked, SETUP_STEPS)
        await page.getByRole('button', { name: 'Run it' }).click()
        await page.getByRole('heading', { name: 'hello', level: 1 }).waitFor()
        await page.locator('header').getByText('success').waitFor()
      } finally {
        await runner?.stop()
      }
    })
  })

  test('is not offered again', async () => {
    await visit(async ({ page }) => {
      await page.goto(`${house.url}/#/setup`)
      await page.getByRole('heading', { name: 'Sign in to Signalbox' }).waitFor()
    })
  })

  test('with a password, to the page that was wanted', async () => {
    await visit(async ({ page, context, expect }) => {
      expect(/^answer: POST \/v1\/sessions 401$/)
      await page.goto(`${house.url}/#/t/acme/runs?status=success`)
      await page.getByRole('heading', { name: 'Sign in to Signalbox' }).waitFor()
      await signInByPassword(page, 'ada', 'wrong')
      await page.getByText('Login or password is wrong.').waitFor()
      await signInByPassword(page, 'ada')
      await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor()
      assert.equal(hash(page), '#/t/acme/runs?status=success')
      const [cookie] = (await context.cookies()).filter(({ name }) => name === 'session')
      assert.deepEqual([cookie?.httpOnly, cookie?.sameSite, cookie?.path], [true, 'Lax', '/'])
      assert.equal(await page.evaluate('document.cookie'), '', 'no script can read it')

      await page.getByRole('button', { name: 'ada' }).click()
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
      await page.getByRole('heading', { name: 'Sign in to Signalbox' }).waitFor()
      assert.deepEqual(
        (await context.cookies()).filter(({ name }) => name === 'session'),
        [],
      )
    })
  })

  test('signing out refuses nothing: what the page asks meanwhile waits', async () => {
    await visit(async ({ page }) => {
      await page.goto(`${house.url}/#/sign-in?wanted=%2Ft%2Facme%2Fruns`)
      await signInByPassword(page, 'ada')
      await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor()
      // The session has ended, and the page does not know yet.
      const ended = Promise.withResolvers<void>()
      const goOn = Promise.withResolvers<void>()
      await page.route('**/v1/sessions/current', async (route) => {
        const response = await route.fetch()
        ended.resolve()
        await goOn.promise
        await route.fulfill({ response })
      })
      await page.getByRole('button', { name: 'ada' }).click()
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
      await ended.promise
      // As when one comes back to the tab: it asks who is signed in.
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
      await page.getByRole('link', { name: 'Pipelines', exact: true }).click()
      await page.getByRole('heading', { name: 'Pipelines', level: 1 }).waitFor()
      assert.equal(await page.getByText(ENDED).count(), 0)
      goOn.resolve()
      await page.getByRole('heading', { name: 'Sign in to Signalbox' }).waitFor()
    })
  })

  test('a page that is opened after its session ended asks who comes, and reads nothing before', async () => {
    await visit(async ({ page, expect }) => {
      // Nothing but who is signed in is asked for, or it would be refused, too.
      expect(/^answer: GET \/v1\/auth\/me 401$/)
      await signedInBefore(page)
      await page.goto(`${house.url}/#/t/acme/pipelines`)
      await page.getByRole('heading', { name: 'Sign in to Signalbox' }).waitFor()
      await signInByPassword(page, 'ada')
      await page.locator('table[aria-label="Pipelines"] tbody a').first().waitFor()
      assert.equal(hash(page), '#/t/acme/pipelines')
    })
  })

  test('with an account elsewhere, to the page that was wanted; a refusal is told in our own words', async () => {
    await visit(async ({ page }) => {
      provider.person = undefined
      await page.goto(`${house.url}/#/account/sessions`)
      await page.getByRole('link', { name: 'Sign in with the company account' }).click()
      await page.getByText('The provider was not allowed to tell who you are.').waitFor()

      provider.person = { sub: 'person-1', preferred_username: 'grace', name: 'Grace' }
      await page.goto(`${house.url}/#/account/sessions`)
      await page.getByRole('link', { name: 'Sign in with the company account' }).click()
      await page.getByRole('heading', { name: 'Your sessions' }).waitFor()
      await page.getByRole('button', { name: 'Grace' }).waitFor()
      await page.getByText('this one').waitFor()
      await page.getByRole('cell', { name: 'company' }).waitFor()
    })
  })

  test("an account elsewhere is linked, told when it is somebody else's, and unlinked", async () => {
    await visit(async ({ page }) => {
      await page.goto(`${house.url}/#/account/identities`)
      await signInByPassword(page, 'ada')
      await page.getByText('No account at a provider').waitFor()
      provider.person = { sub: 'person-2', preferred_username: 'ada', name: 'Ada' }
      await page.getByRole('button', { name: 'Link the company account' }).click()
      await page.getByRole('cell', { name: 'person-2' }).waitFor()
      await page.getByRole('button', { name: 'Unlink' }).click()
      await page.getByRole('button', { name: 'Unlink it' }).waitFor()
      assert.deepEqual(await findFaultsOfDialog(page), [])
      await page.getByRole('button', { name: 'Unlink it' }).click()
      await page.getByText('No account at a provider').waitFor()
    })
    await visit(async ({ page }) => {
      await page.goto(`${house.url}/#/account/identities`)
      await signInByPassword(page, 'ada')
      provider.person = { sub: 'person-1', preferred_username: 'grace', name: 'Grace' }
      await page.getByRole('button', { name: 'Link the company account' }).click()
      await page.getByText('This account belongs to another user already.').waitFor()
    })
  })

  test('a token is shown once, and revoked', async () => {
    await visit(async ({ page }) => {
      await page.goto(`${house.url}/#/account/tokens`)
      await signInByPassword(page, 'ada')
      await page.getByRole('textbox', { name: 'Name' }).fill('laptop')
      await page.getByRole('button', { name: 'Create the token' }).click()
      const token = await page.getByLabel('The token', { exact: true }).innerText()
      const status = async (): Promise<number> => (await house.api.as(token).ask('GET', '/v1/auth/me')).status
      assert.equal(await status(), 200)
      await page.getByRole('button', { name: 'I have it' }).click()
      assert.ok(!(await page.content()).includes(token))
      await page.getByRole('button', { name: 'Revoke' }).click()
      await page.getByRole('button', { name: 'Revoke it' }).click()
      await page.getByText('No token yet').waitFor()
      assert.equal(await status(), 401)
    })
  })

  test('a session that is revoked under a form: the person signs in again, and nothing typed is lost', async () => {
    await visit(async ({ page, expect }) => {
      expect(/ 401$/)
      await page.goto(`${house.url}/#/account/tokens`)
      await signInByPassword(page, 'ada')
      const name = page.getByRole('textbox', { name: 'Name' })
      await name.fill('half a name')
      const elsewhere = await signIn(house.url, 'ada', PASSWORD)
      assert.equal((await elsewhere.send('DELETE', '/v1/sessions')).status, 204)

      await page.getByRole('button', { name: 'Create the token' }).click()
      const dialog = page.getByRole('dialog', { name: ENDED })
      await dialog.waitFor()
      assert.deepEqual(await findFaultsOfDialog(page), [])
      await dialog.waitFor()
      assert.equal(await dialog.getByLabel('Login').inputValue(), 'ada')
      assert.equal(await dialog.getByLabel('Login').isEditable(), false, 'nobody else goes on here')
      await page.keyboard.press('Escape')
      await dialog.getByRole('textbox', { name: 'Password' }).fill('wrong')
      await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
      await dialog.getByText('Login or password is wrong.').waitFor()
      await dialog.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
      await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
      await dialog.waitFor({ state: 'hidden' })
      assert.equal(await name.inputValue(), 'half a name')
      await page.getByRole('button', { name: 'Create the token' }).click()
      await page.getByLabel('The token', { exact: true }).waitFor()
    })
  })

  test('a session is ended from another browser; all others by one press', async () => {
    await visit(async ({ page }) => {
      await page.goto(`${house.url}/#/account/sessions`)
      await signInByPassword(page, 'ada')
      await page.getByText('this one').waitFor()
      const others = [await signIn(house.url, 'ada', PASSWORD), await signIn(house.url, 'ada', PASSWORD)]
      const statuses = () => Promise.all(others.map(async ({ send }) => (await send('GET', '/v1/auth/me')).status))
      assert.deepEqual(await statuses(), [200, 200])
      await page.reload()
      await page.getByRole('button', { name: 'End', exact: true }).first().click()
      await page.getByRole('button', { name: 'End it' }).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      assert.deepEqual(await statuses(), [200, 401], 'the newest comes first')
      await page.getByRole('button', { name: 'End all others' }).click()
      await page.getByRole('button', { name: 'End them' }).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      assert.deepEqual(await statuses(), [401, 401])
      await page.getByText('this one').waitFor()
    })
  })

  test('an open page whose session another browser ends says so by itself; signing out everywhere ends all', async () => {
    await visit(async (left) => {
      left.expect(/ 401$/)
      await left.page.goto(`${house.url}/#/t/acme/runs`)
      await signInByPassword(left.page, 'ada')
      await left.page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor()
      await visit(async ({ page }) => {
        await page.goto(`${house.url}/#/account/sessions`)
        await signInByPassword(page, 'ada')
        await page.getByText('this one').waitFor()
        // The newest comes first, and one does not end one's own there.
        await page.getByRole('button', { name: 'End', exact: true }).first().click()
        await page.getByRole('button', { name: 'End it' }).click()
        // Nobody touched that page: its live stream ended.
        const dialog = left.page.getByRole('dialog', { name: ENDED })
        await dialog.waitFor()
        await dialog.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
        await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
        await dialog.waitFor({ state: 'hidden' })

        await page.getByRole('button', { name: 'ada' }).click()
        await page.getByRole('menuitem', { name: 'Sign out everywhere' }).click()
        await page.getByRole('heading', { name: 'Sign in to Signalbox' }).waitFor()
        await dialog.waitFor()
      })
    })
  })

  test('a link that is pasted while signed out leads to the same run, task and line, by either way', async () => {
    const ada = await signIn(house.url, 'ada', PASSWORD)
    const body = async (answer: Response): Promise<{ readonly run_id: string; readonly id: string }[]> =>
      [await answer.json()].flat()
    const [run] = await body(await ada.send('GET', '/v1/runs?status=success'))
    const grace = (await body(await ada.send('GET', '/v1/users'))).find(
      (user) => 'login' in user && user.login === 'grace',
    )
    const grant = { subject: `user:${grace?.id}`, role: 'viewer', team_path: 'acme' }
    assert.equal((await ada.send('POST', '/v1/grants', grant)).status, 201)
    const link = `#/runs/${run?.run_id}?view=table&line=greet%2Fhello%2F1%3A0`

    async function paste(page: Page, enter: () => Promise<void>): Promise<void> {
      await page.goto(`${house.url}/${link}`)
      await page.getByRole('heading', { name: 'Sign in to Signalbox' }).waitFor()
      await enter()
      await page.getByRole('heading', { name: 'hello', level: 1 }).waitFor()
      assert.equal(decodeURIComponent(hash(page)), decodeURIComponent(link))
      assert.ok(await page.getByRole('radio', { name: 'Table' }).isChecked())
      await page.getByRole('log').locator('[data-chosen]').first().waitFor()
    }
    await visit(({ page }) => paste(page, () => signInByPassword(page, 'ada')))
    provider.person = { sub: 'person-1', preferred_username: 'grace', name: 'Grace' }
    await visit(({ page }) =>
      paste(page, () => page.getByRole('link', { name: 'Sign in with the company account' }).click()),
    )
  })

  test('somebody else who signs in in another tab does not go on with what was typed here', async () => {
    await visit(async ({ page, context, expect }) => {
      // What the page asks before it knows is refused: it names the user for whom it asks.
      expect(/^answer: GET [^ ]+ 409$/)
      await page.goto(`${house.url}/#/account/tokens`)
      await signInByPassword(page, 'ada')
      await page.getByRole('textbox', { name: 'Name' }).fill('of ada')
      provider.person = { sub: 'person-1', preferred_username: 'grace', name: 'Grace' }
      const other = await context.newPage()
      await other.goto(`${house.url}/#/sign-in`)
      await other.getByRole('link', { name: 'Sign in with the company account' }).click()
      await other.getByRole('button', { name: 'Grace' }).waitFor()
      await other.close()
      await page.getByRole('dialog', { name: 'Somebody else has signed in' }).waitFor()
      await page.getByRole('button', { name: 'Go on as grace' }).click()
      await page.getByRole('button', { name: 'Grace' }).waitFor()
      assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), '')
    })
  })
})
