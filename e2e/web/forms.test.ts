import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeWeb } from './visit.ts'

interface Profile {
  readonly id: string
  readonly labels: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

describeWeb('a form of what is stored already', (web) => {
  async function makeProfile(name: string, environment: Readonly<Record<string, string>> = {}): Promise<Profile> {
    const body = { team_path: 'acme', name, executor: 'host', labels: ['old'], environment }
    return web.stage.world.admin.send<Profile>('POST', '/v1/profiles', body)
  }
  const saveElsewhere = ({ id }: Profile, labels: readonly string[]): Promise<unknown> =>
    web.stage.world.admin.send('PUT', `/v1/profiles/${id}`, { executor: 'host', labels })
  const labelsOf = async ({ id }: Profile): Promise<readonly string[]> =>
    (await web.stage.world.admin.get<Profile>(`/v1/profiles/${id}`)).labels

  test('shows both versions where somebody saved meanwhile, and saves what one chooses', async () => {
    const profile = await makeProfile('contested')
    await web.visit({ as: 'owner' }, async ({ page, open, expect }) => {
      expect(/answer: PUT \/v1\/profiles\/\S+ 412|answer: PUT \/v1\/profiles\/\S+ 409/)
      expect(/console error: .*40[9]|console error: .*412/)
      await open(`/profiles/${profile.id}`)
      await page.getByRole('textbox', { name: 'Labels' }).fill('mine')
      await saveElsewhere(profile, ['theirs'])
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Somebody saved a newer version meanwhile').waitFor()
      await page.locator('figure', { hasText: 'Saved now' }).getByText('theirs').waitFor()
      await page.locator('figure', { hasText: 'Yours' }).getByText('mine').waitFor()
      assert.deepEqual(await labelsOf(profile), ['theirs'], 'nothing is saved before one chooses')
      await page.getByRole('button', { name: 'Save mine over it' }).click()
      await page.getByText('Saved.', { exact: true }).waitFor()
      assert.deepEqual(await labelsOf(profile), ['mine'])
      // One's own save is the version that the next one is based on.
      await page.getByRole('textbox', { name: 'Labels' }).fill('again')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Saved.', { exact: true }).waitFor()
      assert.deepEqual(await labelsOf(profile), ['again'])
      // And the other choice.
      await page.getByRole('textbox', { name: 'Labels' }).fill('mine')
      await saveElsewhere(profile, ['theirs'])
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.locator('figure', { hasText: 'Saved now' }).getByText('theirs').waitFor()
      await page.getByRole('button', { name: 'Show the saved one' }).click()
      assert.equal(await page.getByRole('textbox', { name: 'Labels' }).inputValue(), 'theirs')
    })
  })

  test('keeps values with line ends, and tells a fault once, at its field', async () => {
    const profile = await makeProfile('keyed', { KEY: 'one\ntwo', WORD: 'plain' })
    await web.visit({ as: 'owner' }, async ({ page, open, expect }) => {
      expect(/answer: PUT \/v1\/profiles\/\S+ 400/)
      expect(/console error: .*400/)
      await open(`/profiles/${profile.id}`)
      const environment = page.getByRole('textbox', { name: 'Environment' })
      assert.equal(await environment.inputValue(), 'KEY="one\\ntwo"\nWORD=plain')
      await page.getByRole('textbox', { name: 'Labels' }).fill('no/label!')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      const fault = page.getByText('Correct the marked field')
      await fault.waitFor()
      const said = await page.locator('[id$="-error"]').innerText()
      assert.equal((await page.locator('main').innerText()).split(said).length - 1, 1, said)
      await page.getByRole('textbox', { name: 'Labels' }).fill('old')
      await environment.fill('KEY="one\\ntwo"\nWORD=plain\nEDGE=" x "')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Saved.', { exact: true }).waitFor()
      const { environment: stored } = await web.stage.world.admin.get<Profile>(`/v1/profiles/${profile.id}`)
      assert.deepEqual(stored, { KEY: 'one\ntwo', WORD: 'plain', EDGE: ' x ' })
    })
  })
})
