import { ActionIcon, Code, Menu } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { copyText } from './copy-text.ts'
import { quote } from './quote.ts'

interface CopyAsProps {
  /** The path of the API, such as /v1/runs/<id>. */
  readonly path: string
  readonly method?: string
  /** The body as JSON. */
  readonly body?: unknown
  /** The same as words of the command line, such as ['run', 'show', id]. */
  readonly command?: readonly string[]
}

/** "Copy as" curl and as a command: valid when it is pasted into a shell. */
export function CopyAs({ path, method = 'GET', body, command }: CopyAsProps): ReactNode {
  /** What the browser refused to copy. */
  const [refused, setRefused] = useState<string>()
  const copy = async (text: string): Promise<void> => setRefused((await copyText(text)) ? undefined : text)
  const address = new URL(`.${path}`, document.baseURI).href
  const curl = [
    'curl',
    '--fail-with-body',
    ...(method === 'GET' ? [] : ['--request', method]),
    '--header "authorization: Bearer $SIGNALBOX_TOKEN"',
    ...(body === undefined
      ? []
      : ["--header 'content-type: application/json'", `--data ${quote(JSON.stringify(body))}`]),
    quote(address),
  ].join(' ')
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label="Copy as" title="Copy as">
            <IconCopy size="1em" aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void copy(curl)}>Copy as curl</Menu.Item>
          {command && (
            <Menu.Item onClick={() => void copy(['signalbox', ...command.map(quote)].join(' '))}>
              Copy as command
            </Menu.Item>
          )}
          <Menu.Item onClick={() => void copy(location.href)}>Copy the link</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {refused !== undefined && (
        <div role="alert">
          The browser refuses to copy. Select it here: <Code tabIndex={0}>{refused}</Code>
        </div>
      )}
    </>
  )
}
