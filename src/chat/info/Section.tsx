import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import { useLocaleState } from 'react-admin'
import { type ReactNode, useId } from 'react'

import { useRemembered } from '#src/kit/list/useRemembered.ts'
import { formatNumber } from '#src/kit/time/formats.ts'

interface Props {
  /** Key under which the open state is remembered. */
  name: string
  title: string
  count?: number | undefined
  /** Shown beside the title. */
  action?: ReactNode
  children: ReactNode
}

/** A collapsible part of the panel. */
export function Section({ name, title, count, action, children }: Props) {
  const id = useId()
  const [locale] = useLocaleState()
  const [isOpen, setOpen] = useRemembered('chat', `info.${name}`, true)
  return (
    <Box
      component="section"
      aria-labelledby={`${id}-title`}
      sx={{ borderTop: 1, borderColor: 'divider', py: 0.5 }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', minHeight: { xs: 44, md: 40 } }}>
        <Box component="h3" sx={{ flex: 1, minWidth: 0, m: 0, fontSize: '0.875rem' }}>
          <ButtonBase
            id={`${id}-title`}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
            sx={{
              width: '100%',
              minHeight: { xs: 44, md: 32 },
              justifyContent: 'flex-start',
              gap: 0.5,
              borderRadius: '6px',
              font: 'inherit',
              fontWeight: 600,
            }}
          >
            <ExpandMoreRounded
              sx={{ color: 'text.secondary', ...(!isOpen && { transform: 'rotate(-90deg)' }) }}
            />
            {title}
            {count !== undefined && (
              <Box component="span" sx={{ ml: 0.5, fontWeight: 400, color: 'text.secondary' }}>
                {formatNumber(locale, count)}
              </Box>
            )}
          </ButtonBase>
        </Box>
        {action}
      </Box>
      <Box id={id} hidden={!isOpen} sx={{ px: 1, pb: 1.5, minWidth: 0 }}>
        {isOpen && children}
      </Box>
    </Box>
  )
}
