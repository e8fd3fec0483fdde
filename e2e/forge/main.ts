import { parseArgs } from 'node:util'
import { startControl } from './control.ts'
import { startGithub } from './github/index.ts'

// node e2e/forge/main.ts [--port N] [--control-port N] [--account acme] [--repository acme/shop]... [--person ada]
//
// A fake GitHub with an organisation, its repositories of Git and a person who may write to all of them. It prints one line
// of JSON with its addresses, and ends with SIGTERM or SIGINT, or with the channel of the process that started it.

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'control-port': { type: 'string', default: '0' },
    account: { type: 'string', default: 'acme' },
    repository: { type: 'string', multiple: true, default: [] },
    person: { type: 'string', default: 'ada' },
  },
})

// First of all: an end that comes meanwhile is not to be missed.
const ending = Promise.withResolvers<void>()
for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.once(signal, () => ending.resolve())

const forge = await startGithub({ port: Number(values.port) })
const control = await startControl(forge, Number(values['control-port']))
const names = values.repository.length > 0 ? values.repository : [`${values.account}/shop`]
for (const name of names) {
  await forge.addRepository(name, { files: { 'README.md': `# ${name}\n` } })
  forge.permit(name, values.person, 'write')
}

process.stdout.write(
  `${JSON.stringify({
    url: forge.url,
    api_url: `${forge.url}/api/v3`,
    control_url: `${control.url}/_control`,
    account: values.account,
    person: values.person,
    token: forge.addToken(values.person),
    repositories: names.map((name) => ({ full_name: name, clone_url: `${forge.url}/${name}.git` })),
  })}\n`,
)

await ending.promise
await control.close()
await forge.close()
process.exit(0)
