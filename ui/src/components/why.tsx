import { ActionIcon, Popover, Text } from '@mantine/core'
import { IconHelpCircle } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import styles from './why.module.css'

/** "Why?" beside a state: opens the server's reason. Renders nothing where there is none. */
export function Why({ children, of }: { readonly children: ReactNode; readonly of: string }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  if (children === null || children === undefined || children === '') return null
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      width="target"
      position="bottom-start"
      withArrow
      trapFocus={false}
      middlewares={{ flip: true, shift: true }}
    >
      <Popover.Target>
        <ActionIcon
          className={styles['why']}
          aria-label={`Why: ${of}`}
          title="Why?"
          onClick={() => setOpen(!isOpen)}
          // The focus stays here, where Mantine does not hear the key.
          onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}
        >
          <IconHelpCircle size="1em" aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown w="min(90vw, 32rem)">
        <Text component="div" size="sm">
          {children}
        </Text>
      </Popover.Dropdown>
    </Popover>
  )
}
