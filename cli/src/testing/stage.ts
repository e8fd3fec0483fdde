import { type FakeApi, type Handler, startFakeApi } from './fake-api.ts'
import { makeTestFolder, type TestFolder, type TestOptions } from './test-surroundings.ts'

/** A fake API, and a folder whose commands speak to it. */
interface Stage extends AsyncDisposable {
  readonly api: FakeApi
  readonly folder: TestFolder
  run(args: readonly string[], options?: TestOptions): ReturnType<TestFolder['run']>
}

export async function stage(handler: Handler): Promise<Stage> {
  const api = await startFakeApi(handler)
  const folder = makeTestFolder()
  return {
    api,
    folder,
    run: (args, options = {}) =>
      folder.run(args, { ...options, env: { SIGNALBOX_URL: api.url, SIGNALBOX_TOKEN: 't', ...options.env } }),
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]()
      await api[Symbol.asyncDispose]()
    },
  }
}
