import { Code, Skeleton, Tabs } from '@mantine/core'
import { CLIENTS, type Client, configOf, isClient, siteOf } from '@signalbox/contracts/mcp/clients'
import type { ReactNode } from 'react'
import { CopyButton } from '../../components/index.ts'
import styles from './mcp.module.css'

interface ConnectProps {
  readonly client: Client
  /** Undefined while it is asked for. */
  readonly address: string | undefined
  readonly onChoose: (client: Client) => void
}

/** The address of the endpoint, and what to paste into which client. */
export function Connect({ client, address, onChoose }: ConnectProps): ReactNode {
  if (address === undefined) return <Skeleton height="8rem" />
  return (
    <>
      <p>
        The address is <code>{address}</code>. No token stands in what you paste; make one for the agent first.
      </p>
      <Tabs value={client} onChange={(chosen) => isClient(chosen) && onChoose(chosen)}>
        <Tabs.List mb="md" aria-label="Clients" className={styles['clients']}>
          {Object.entries(CLIENTS).map(([name, label]) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.keys(CLIENTS).map((name) => (
          <Tabs.Panel key={name} value={name}>
            {name === client && <Pasted client={client} address={address} />}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}

function Pasted({ client, address }: { readonly client: Client; readonly address: string }): ReactNode {
  const { place, text, token } = configOf(client, { url: siteOf(address) })
  return (
    <>
      <p>
        Put this into {place}. {token}
      </p>
      <Code block tabIndex={0} aria-label={`Configuration of ${CLIENTS[client]}`} className={styles['pasted']}>
        {text}
      </Code>
      <CopyButton text={text} label="Copy the configuration" />
    </>
  )
}
