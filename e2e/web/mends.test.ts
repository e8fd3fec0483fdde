import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { startProxy } from '../house/proxy.ts'
import { makePipeline } from '../house/team.ts'
import { waitFor } from '../house/wait.ts'
import { showIn } from './layout.ts'
import { findFaultsOfDialog } from './look.ts'
import { describeWeb, visit } from './visit.ts'

const QUIET = `name: NAME
checkout: false
profile: acme/rare
steps: [{ name: build, tasks: [{ name: compile, run: echo quiet }] }]
`

/** The control plane refuses the next calls so, as it does where it cannot do them. */
async function refuse(page: Page, path: RegExp, [status, code]: readonly [number, string]): Promise<void> {
  const problem = { type: 'about:blank', title: 'Refused', status, code, detail: `The test says ${code}.` }
  await page.route(path, (route) =>
    route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
  )
}

describeWeb('what is away', (web) => {
  test('that a Git provider does not answer is no absence of the control plane', async () => {
    const { world } = web.stage
    const api = world.admin
    const source = await api.send<{ id: string }>('POST', '/v1/git-webhook-sources', {
      name: 'acme-dead',
      provider: 'gitea',
      base_url: `http://127.0.0.1:${await freePort()}`,
      team_path: 'acme',
      auth_mode: 'signature',
      credential_ref: 'secret:acme/webhook',
      checkout_credential_ref: 'secret:acme/npm',
      repository_allowlist: ['acme/dead'],
    })
    try {
      const pipeline = await makePipeline(api, world.team, QUIET.replace('NAME', 'of-dead'))
      await web.visit({ as: 'owner' }, async ({ page, open, settle, expect }) => {
        expect(/^answer: GET \/v1\/repositories\/acme\/dead\/branches 502$/)
        await open(`/pipelines/${encodeURIComponent(pipeline)}`)
        await page.getByRole('button', { name: 'Run', exact: true }).first().click()
        const form = page.getByRole('dialog')
        await form.getByRole('radio', { name: 'Branch or tag' }).check()
        await form.getByLabel('Repository').first().fill('acme/dead')
        const asked = page.waitForResponse(/\/branches$/)
        await form
          .getByRole('combobox', { name: 'Branch or tag' })
          .or(form.getByRole('textbox', { name: 'Branch or tag' }))
          .first()
          .fill('main')
        assert.equal((await asked).status(), 502)
        await settle()
        assert.equal(await page.getByText('The control plane').count(), 0, 'no banner')
        const run = form.getByRole('button', { name: 'Run', exact: true })
        assert.equal(await run.getAttribute('aria-disabled'), null, 'one goes on')
      })
    } finally {
      await api.send('DELETE', `/v1/git-webhook-sources/${source.id}`)
    }
  })

  test('that rights cannot be known is said in words of its own, and nothing can be sent until it is over', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open, expect }) => {
      expect(/^answer: [A-Z]+ \/v1\/[^ ]* 503$/)
      await open('/t/acme/secrets')
      await page.getByRole('button', { name: 'Store a secret' }).click()
      const form = page.getByRole('dialog')
      await form.getByLabel('Name').fill('held')
      await form.locator('input').and(form.getByLabel('Value')).fill('kept as it was typed')
      await refuse(page, /\/v1\/(secrets|auth|preferences|live)/, [503, 'authorization_unavailable'])
      await form.getByRole('button', { name: 'Store', exact: true }).click()
      await page.getByText('cannot find out who may do what').waitFor()
      const store = form.getByRole('button', { name: 'Store', exact: true })
      await form.locator('[aria-disabled=true]', { hasText: 'Store' }).waitFor()
      assert.match((await store.getAttribute('aria-description')) ?? '', /The control plane is away/)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.getByText('cannot find out who may do what').waitFor({ state: 'detached' })
      assert.equal(await form.getByLabel('Name').inputValue(), 'held')
      await form.getByRole('button', { name: 'Store', exact: true, disabled: false }).click()
      await form.waitFor({ state: 'detached' })
      await page.getByText('acme/held').waitFor()
    })
  })

  test('a run that was started, and whose answer was lost, is started once though one presses again', async () => {
    const { world, house, browser, people } = web.stage
    const pipeline = encodeURIComponent(await makePipeline(world.admin, world.team, QUIET.replace('NAME', 'pressed')))
    const proxy = await startProxy(() => [Number(new URL(house.url).port)])
    const runs = () => world.admin.get<{ run_id: string }[]>(`/v1/runs?pipeline=acme/pressed`)
    try {
      const premises = { browser, people, house: { url: `http://127.0.0.1:${proxy.port}` } }
      await visit(premises, { as: 'owner' }, async ({ page, open, expect }) => {
        expect(/^request: /)
        await open(`/pipelines/${pipeline}`)
        await page.getByRole('button', { name: 'Run', exact: true }).first().click()
        const form = page.getByRole('dialog')
        await form.getByLabel('Scope').fill(world.team.scope)
        proxy.setWeather({ kind: 'half_open' })
        await form.getByRole('button', { name: 'Run', exact: true }).click()
        await waitFor('the run', runs, (found) => found.length === 1)
        // The browser itself sends a request again whose connection broke before an answer.
        await waitFor(
          'the lost answer',
          async () => {
            proxy.cut()
            return form.getByText('The control plane does not answer.').count()
          },
          (count) => count > 0,
        )
        proxy.setWeather({ kind: 'fair' })
        await form.getByRole('button', { name: 'Run', exact: true, disabled: false }).click()
        await page.waitForURL(/#\/runs\//)
        const found = await runs()
        assert.equal(found.length, 1, 'the second press got the answer of the first')
        assert.ok(page.url().includes(found[0]?.run_id ?? 'none'))
      })
    } finally {
      proxy.close()
    }
    for (const { run_id: id } of await runs()) await world.admin.ask('POST', `/v1/runs/${id}/cancel`)
  })

  test('a part that a newer build has no more says so in its place; the form behind it stays', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open, expect }) => {
      expect(/^answer: GET \/assets\/palette-.* 404$/)
      expect(/^console error: /)
      await open('/t/acme/triggers/new')
      await page.getByRole('textbox', { name: 'Name' }).first().fill('half written')
      // As after an upgrade: neither the file nor the version is the page's own.
      await page.route(/\/assets\/palette-/, (route) => route.fulfill({ status: 404, body: '' }))
      await page.route(/\/version\.json$/, (route) => route.fulfill({ json: { version: 'of tomorrow' } }))
      await page.getByRole('button', { name: 'Search' }).click()
      const notice = page.getByRole('dialog')
      await notice.getByText('a newer version of this page is served since you opened it').waitFor()
      assert.deepEqual(await findFaultsOfDialog(page), [])
      await page.keyboard.press('Escape')
      await notice.waitFor({ state: 'detached' })
      assert.equal(await page.getByRole('textbox', { name: 'Name' }).first().inputValue(), 'half written')
      await page.getByText('A newer version of this page is served.').waitFor()
    })
  })
})

describeWeb('a refused write is told', (web) => {
  test('of signing out: one is still signed in, and may try again', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open, expect }) => {
      expect(/^answer: DELETE \/v1\/sessions\/[^ ]* 500$/)
      expect(/^answer: [A-Z]+ \/v1\/[^ ]* 401$/)
      await open('/preferences')
      await refuse(page, /\/v1\/sessions\//, [500, 'internal_error'])
      await page.getByRole('button', { name: 'Owner of acme' }).click()
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'You are still signed in' })
      await dialog.getByText('The test says internal_error.').waitFor()
      assert.deepEqual(await findFaultsOfDialog(page), [])
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await dialog.getByRole('button', { name: 'Sign out' }).click()
      await page.getByLabel('Login').waitFor()
    })
  })

  test('of an account that is disabled, and of one that somebody deleted meanwhile', async () => {
    const { world } = web.stage
    const account = await world.admin.send<{ id: string }>('POST', '/v1/service-accounts', {
      team_path: 'acme',
      name: 'mended',
    })
    await web.visit({ as: 'owner' }, async ({ page, open, expect }) => {
      expect(/^answer: [A-Z]+ \/v1\/service-accounts\/[^ ]+ 404$/)
      await open('/t/acme/service-accounts')
      const row = page.getByRole('row').filter({ hasText: 'acme/mended' })
      await row.getByRole('button', { name: 'Disable' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Disable', disabled: false }).click()
      await dialog.waitFor({ state: 'detached' })
      await row.getByText('disabled').waitFor()
      await row.getByRole('button', { name: 'Enable' }).click()
      await dialog.getByText('Its tokens count again').waitFor()
      await world.admin.send('DELETE', `/v1/service-accounts/${account.id}`)
      await dialog.getByRole('button', { name: 'Enable', disabled: false }).click()
      await dialog.getByRole('alert').waitFor()
    })
  })
})

describeWeb('somebody else saves first', (web) => {
  test('who may use an environment: both versions are shown, and one of them is saved', async () => {
    const { world } = web.stage
    const [user = ''] = world.ids.get('/v1/users') ?? []
    await world.admin.send('POST', '/v1/teams/acme/environments', { name: 'shielded', protected: true })
    await web.visit({ as: 'owner' }, async ({ page, open, expect }) => {
      expect(/^answer: PATCH \/v1\/teams\/[^ ]+ 409$/)
      await open('/teams/acme')
      const row = page.getByRole('row').filter({ hasText: 'acme/shielded' })
      await row.getByRole('button', { name: 'Change' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Protected').uncheck()
      const change = { protected: true, allowed_subjects: [`user:${user}`] }
      await world.admin.send('PATCH', '/v1/teams/acme/environments/shielded', change)
      await dialog.getByRole('button', { name: 'Save', exact: true }).click()
      await dialog.getByText('Somebody saved a newer version meanwhile').waitFor()
      await dialog.locator('figure').filter({ hasText: 'Saved now' }).getByText(user).waitFor()
      assert.deepEqual(await findFaultsOfDialog(page), [])
      await dialog.getByRole('button', { name: 'Show the saved one' }).click()
      assert.match(await dialog.getByLabel('Allowed').inputValue(), new RegExp(user))
      assert.ok(await dialog.getByLabel('Protected').isChecked())
      await dialog.getByLabel('Protected').uncheck()
      await dialog.getByRole('button', { name: 'Save', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
      await row.getByText('who has scope.use').waitFor()
    })
  })

  test('a runner: one saves over what was saved, and removes it knowing what changed', async () => {
    const { world } = web.stage
    const name = 'acme-spare'
    const all = await world.admin.get<{ id: string; name: string }[]>('/v1/runners')
    const id = all.find((runner) => runner.name === name)?.id ?? ''
    await web.visit({ as: 'owner' }, async ({ page, open, expect }) => {
      expect(/^answer: (PATCH|DELETE) \/v1\/runners\/[^ ]+ 409$/)
      await open(`/runners/${id}`)
      await page.getByRole('button', { name: 'Change', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('mine')
      await world.admin.send('PATCH', `/v1/runners/${id}`, { name: 'theirs' })
      await dialog.getByRole('button', { name: 'Save', exact: true }).click()
      await dialog.getByRole('button', { name: 'Save mine over it' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('heading', { name: 'mine', level: 1 }).waitFor()

      await page.getByRole('button', { name: 'Remove', exact: true }).click()
      await dialog.getByText('Drain it first').waitFor()
      await world.admin.send('PATCH', `/v1/runners/${id}`, { name })
      await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
      await dialog.getByText('Somebody changed it meanwhile').waitFor()
      await dialog.getByText(`name was mine, and is now ${name}`).waitFor()
      assert.deepEqual(await findFaultsOfDialog(page), [])
      await page.keyboard.press('Escape')
    })
  })

  test('a secret: a second version is not stored over one that nobody saw', async () => {
    const { world } = web.stage
    const { id } = await world.admin.send<{ id: string }>('POST', '/v1/secrets', {
      team_path: 'acme',
      name: 'raced',
      value: 'one',
    })
    await web.visit({ as: 'owner' }, async ({ page, open, expect }) => {
      expect(/^answer: PUT \/v1\/secrets\/[^ ]+ 409$/)
      await open('/t/acme/secrets')
      const row = page.getByRole('row').filter({ hasText: 'acme/raced' })
      await row.getByRole('button', { name: 'Rotate' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.locator('input').and(dialog.getByLabel('Value')).fill('three')
      await world.admin.send('PUT', `/v1/secrets/${id}`, { value: 'two' })
      await dialog.getByRole('button', { name: 'Store', exact: true }).click()
      await dialog.getByText('version was 1, and is now 2').waitFor()
      await dialog.getByRole('button', { name: 'Store', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
      assert.equal((await world.admin.get<{ version: number }>(`/v1/secrets/${id}`)).version, 3)
    })
  })
})

describeWeb('in the palette', (web) => {
  test('what the arrows choose stays in sight', async () => {
    await web.visit({ as: 'administrator' }, async ({ page, open }) => {
      await open('/preferences')
      await page.keyboard.press('Control+k')
      const list = page.getByRole('listbox')
      const chosen = list.locator('[aria-selected=true]')
      await chosen.waitFor()
      const isInSight = () =>
        chosen.evaluate((row) => {
          const [box, frame] = [row.getBoundingClientRect(), row.parentElement?.getBoundingClientRect()]
          return frame !== undefined && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1
        })
      const count = await list.getByRole('option').count()
      assert.ok(await list.evaluate((frame) => frame.scrollHeight > frame.clientHeight), 'more than fits')
      for (let at = 0; at < count; at += 1) {
        assert.ok(await isInSight(), `choice ${at + 1} of ${count}`)
        await page.keyboard.press('ArrowDown')
      }
      await page.keyboard.press('ArrowUp')
      assert.ok(await isInSight(), 'the last one, from the first upwards')
    })
  })
})

describeWeb('the palette does things', (web) => {
  test('that one may do, at their place; what one may not says what is missing', async () => {
    const { world } = web.stage
    const pipeline = await makePipeline(world.admin, world.team, QUIET.replace('NAME', 'palette-run'))
    await web.visit({ as: 'editor' }, async ({ page, open, settle }) => {
      const palette = page.getByRole('dialog', { name: 'Go to' })
      const find = async (text: string): Promise<void> => {
        await page.getByRole('button', { name: 'Search' }).click()
        await palette.getByRole('combobox').fill(text)
      }
      await open('/t/acme/home')
      await find('create trigger')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Create a trigger', level: 1 }).waitFor()

      await find('palette-run')
      await palette
        .getByRole('option')
        .filter({ hasText: `Run ${pipeline}` })
        .click()
      await page.getByRole('dialog', { name: `Run ${pipeline}` }).waitFor()
      await page.keyboard.press('Escape')

      await find('enrol a runner')
      const enrol = palette.getByRole('option', { name: 'Enrol a runner' })
      await enrol.and(page.locator('[aria-disabled=true]')).waitFor()
      await enrol.getByText('You need the permission runner.write').waitFor()
      await page.keyboard.press('Enter')
      assert.ok(await palette.isVisible(), 'nothing is done')
      assert.deepEqual(await findFaultsOfDialog(page), [])
      // The look at the dialog ended in the other theme.
      await showIn(page, 'light')
      await palette.getByRole('combobox').fill('colours dark')
      await page.keyboard.press('Enter')
      await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
      await settle()
      // The account keeps the choice, and others look at pages with it.
      await find('colours system')
      await page.keyboard.press('Enter')
      await page.locator('html[data-mantine-color-scheme=light]').waitFor()
      await settle()
      await find('sign out')
      await page.keyboard.press('Enter')
      await page.getByLabel('Login').waitFor()
    })
  })

  test('and opens the dialogs of lists, which stand in the address', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open('/t/acme/home')
      for (const action of ['Store a secret', 'Enrol a runner', 'Declare an emergency']) {
        await page.getByRole('button', { name: 'Search' }).click()
        await page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox').fill(action)
        await page.keyboard.press('Enter')
        const dialog = page.getByRole('dialog', { name: action })
        await dialog.waitFor()
        assert.match(page.url(), /=true$/)
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        assert.doesNotMatch(page.url(), /=true$/)
      }
    })
  })

  test('and a page that one opens from the menu takes the focus to its heading', async () => {
    await web.visit({ as: 'owner' }, async ({ page, open }) => {
      await open('/t/acme/secrets')
      await page.getByRole('button', { name: 'Owner of acme' }).click()
      await page.getByRole('menuitem', { name: 'Preferences' }).click()
      const heading = page.getByRole('heading', { name: 'Preferences', level: 1 })
      await heading.and(page.locator(':focus')).waitFor()
    })
  })
})
