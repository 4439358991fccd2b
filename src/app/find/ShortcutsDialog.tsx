import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'

import type { TextKey } from '#providers/i18nProvider.ts'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { useText } from '#src/kit/useText.ts'

/** Ctrl, or Cmd on a Mac. */
const MAIN = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

type Shortcut = readonly [label: TextKey, ...keys: readonly string[]]
const GROUPS: readonly (readonly [title: TextKey, shortcuts: readonly Shortcut[]])[] = [
  [
    'shortcuts.everywhere',
    [
      ['shortcuts.find', MAIN, 'K'],
      ['shortcuts.list', '?'],
      ['shortcuts.close', 'Esc'],
    ],
  ],
  ['shortcuts.incidents', [['shortcuts.saveActivity', MAIN, 'Enter']]],
  [
    'shortcuts.chat',
    [
      ['shortcuts.nextUnread', 'Alt', 'Shift', '↓'],
      ['shortcuts.send', 'Enter'],
      ['shortcuts.newLine', 'Shift', 'Enter'],
      ['shortcuts.codeBlock', '```', 'Enter'],
      ['shortcuts.link', MAIN, 'K'],
    ],
  ],
  [
    'shortcuts.message',
    [
      ['shortcuts.nextMessage', '↑', '↓'],
      ['shortcuts.messageMenu', 'Enter'],
      ['chatMessages.reply', 'R'],
      ['chatMessages.edit', 'E'],
      ['chatMessages.react', 'A'],
      ['chatMessages.save', 'S'],
      ['chatMessages.remind', 'T'],
      ['confirmations.ask', 'C'],
      ['chatMessages.delete', 'Delete'],
    ],
  ],
  [
    'shortcuts.playbooks',
    [
      ['shortcuts.nextStep', 'Enter'],
      ['shortcuts.moveItem', 'Alt', '↑', '↓'],
      ['shortcuts.undo', MAIN, 'Z'],
    ],
  ],
  [
    'shortcuts.calls',
    [
      ['shortcuts.microphone', 'M'],
      ['shortcuts.camera', 'V'],
      ['shortcuts.hand', 'H'],
      ['shortcuts.talk', 'Space'],
      ['shortcuts.leaveFull', 'Esc'],
    ],
  ],
  [
    'shortcuts.lists',
    [
      ['shortcuts.openRow', 'Enter'],
      ['shortcuts.selectRow', 'Space'],
    ],
  ],
  [
    'shortcuts.files',
    [
      ['shortcuts.selectAll', MAIN, 'A'],
      ['shortcuts.clearSelection', 'Esc'],
      ['files.copy', MAIN, 'C'],
      ['shortcuts.paste', MAIN, 'V'],
      ['files.rename', 'F2'],
      ['files.delete', 'Delete'],
    ],
  ],
]

function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', gap: 0.5, flex: 'none' }}>
      {keys.map((key) => (
        <Box
          key={key}
          component="kbd"
          sx={{
            minWidth: 24,
            px: 0.75,
            border: 1,
            borderColor: 'divider',
            borderRadius: '4px',
            bgcolor: 'background.default',
            font: 'inherit',
            fontSize: '0.75rem',
            lineHeight: '22px',
            textAlign: 'center',
          }}
        >
          {key}
        </Box>
      ))}
    </Box>
  )
}

/** All shortcuts, by the place where they work. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const text = useText()
  return (
    <DialogFrame
      isText
      title={text('shortcuts.title')}
      actions={<Button onClick={onClose}>{text('kit.close')}</Button>}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gridTemplateColumns: { sm: '1fr 1fr' }, columnGap: 4, rowGap: 2.5 }}>
        {GROUPS.map(([title, shortcuts]) => (
          <Box key={title} component="section">
            <Typography variant="subtitle2" component="h3" sx={{ mb: 0.5 }}>
              {text(title)}
            </Typography>
            <Box component="dl" sx={{ m: 0 }}>
              {shortcuts.map(([label, ...keys]) => (
                <Box
                  key={label}
                  sx={{
                    display: 'flex',
                    alignItems: 'center',
                    gap: 2,
                    minHeight: 32,
                    justifyContent: 'space-between',
                  }}
                >
                  <Box component="dt" sx={{ color: 'text.secondary' }}>
                    {text(label)}
                  </Box>
                  <Box component="dd" sx={{ m: 0 }}>
                    <Keys keys={keys} />
                  </Box>
                </Box>
              ))}
            </Box>
          </Box>
        ))}
      </Box>
    </DialogFrame>
  )
}
