import { Button, Menu, Text, useMantineColorScheme } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { countKeptWork } from '../client/kept-work.ts'
import { type Preferences, useChangePreferences } from '../client/preferences.ts'
import { useMe } from '../client/session.ts'
import { signOut, signOutEverywhere } from '../client/sign-out.ts'
import { FormDialog } from '../components/index.ts'
import styles from './user-menu.module.css'

const SCHEMES = [
  { scheme: 'auto', label: 'As the system' },
  { scheme: 'light', label: 'Light' },
  { scheme: 'dark', label: 'Dark' },
] as const

/** Who is signed in, the colours, and the way out. */
export function UserMenu(): ReactNode {
  const me = useMe()
  const navigate = useNavigate()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const change = useChangePreferences()
  // Without it, this browser alone keeps the choice.
  const save = (color_scheme: Preferences['color_scheme']): void => {
    if (me?.kind === 'user') change((before) => ({ ...before, color_scheme })).catch(() => undefined)
  }
  const [asked, setAsked] = useState({ unsaved: 0, isEverywhere: false })
  const { unsaved } = asked
  const leaving = useMutation({
    mutationFn: (isEverywhere: boolean) => (isEverywhere ? signOutEverywhere() : signOut()),
  })
  function askToLeave(isEverywhere: boolean): void {
    const kept = me === undefined ? 0 : countKeptWork(me.id)
    if (kept > 0) setAsked({ unsaved: kept, isEverywhere })
    else leaving.mutate(isEverywhere)
  }
  return (
    <div className={styles['menu']}>
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
              <Menu.RadioItem
                key={scheme}
                value={scheme}
                closeMenuOnClick
                onChange={() => {
                  setColorScheme(scheme)
                  save(scheme === 'auto' ? 'system' : scheme)
                }}
              >
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
          <Menu.Item onClick={() => askToLeave(false)}>Sign out</Menu.Item>
          <Menu.Item onClick={() => askToLeave(true)}>Sign out everywhere</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <FormDialog
        title="Sign out and lose unsaved work?"
        isOpen={unsaved > 0}
        onClose={() => setAsked({ unsaved: 0, isEverywhere: false })}
        onSubmit={() => leaving.mutate(asked.isEverywhere)}
        action="Sign out"
        isSending={leaving.isPending}
        error={leaving.error}
        isDangerous
      >
        <Text>
          This browser keeps unsaved work of yours on {unsaved === 1 ? 'a pipeline' : `${unsaved} pipelines`}. It is
          deleted when you sign out, so that nobody else finds it.
        </Text>
      </FormDialog>
    </div>
  )
}
