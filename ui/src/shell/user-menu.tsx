import { Button, Menu, useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMe } from '../client/session.ts'
import { SCHEMES, useChooseScheme } from './schemes.ts'
import styles from './user-menu.module.css'

/** Who is signed in, the colours, and the way out. */
export function UserMenu({ onLeave }: { readonly onLeave: (isEverywhere: boolean) => void }): ReactNode {
  const me = useMe()
  const navigate = useNavigate()
  const { colorScheme } = useMantineColorScheme()
  const choose = useChooseScheme()
  return (
    <div className={styles['menu']} data-leads-away>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="subtle" color="plain">
            {me?.display_name ?? me?.name ?? 'Account'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Colours</Menu.Label>
          <Menu.RadioGroup value={colorScheme}>
            {SCHEMES.map(({ scheme, label }) => (
              <Menu.RadioItem key={scheme} value={scheme} closeMenuOnClick onChange={() => choose(scheme)}>
                {label}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Item onClick={() => void navigate({ to: '/preferences' })}>Preferences</Menu.Item>
          <Menu.Item onClick={() => void navigate({ to: '/account/sessions' })}>Sessions</Menu.Item>
          <Menu.Item onClick={() => void navigate({ to: '/account/identities' })}>Accounts at providers</Menu.Item>
          <Menu.Item onClick={() => void navigate({ to: '/account/tokens' })}>Tokens</Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={() => onLeave(false)}>Sign out</Menu.Item>
          <Menu.Item onClick={() => onLeave(true)}>Sign out everywhere</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
