import ArrowDropDownRounded from '@mui/icons-material/ArrowDropDownRounded'
import FirstPageRounded from '@mui/icons-material/FirstPageRounded'
import KeyboardArrowLeftRounded from '@mui/icons-material/KeyboardArrowLeftRounded'
import KeyboardArrowRightRounded from '@mui/icons-material/KeyboardArrowRightRounded'
import LastPageRounded from '@mui/icons-material/LastPageRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useListContext, useLocaleState } from 'react-admin'
import { useState } from 'react'

import { formatNumber } from '../time/formats.ts'
import { type Listing, sizesOf } from './listAddress.ts'
import { useText } from '../useText.ts'

interface PageSizeProps {
  sizes: readonly number[]
  size: number
  onChoose: (size: number) => void
}
function PageSize({ sizes, size, onChoose }: PageSizeProps) {
  const text = useText()
  const [anchor, setAnchor] = useState<Element | null>(null)
  const label = text('grid.rowsPerPage')
  return (
    <>
      <Button
        color="inherit"
        size="small"
        aria-haspopup="menu"
        endIcon={<ArrowDropDownRounded />}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ fontWeight: 400, mr: 1 }}
      >
        {label}: {size}
      </Button>
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { 'aria-label': label } }}
      >
        {sizes.map((one) => (
          <MenuItem
            key={one}
            role="menuitemradio"
            aria-checked={one === size}
            selected={one === size}
            onClick={() => {
              setAnchor(null)
              onChoose(one)
            }}
          >
            {one}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}

interface Props {
  /** From 1. */
  page: number
  perPage: number
  total: number
  setPage: (page: number) => void
  setPerPage?: (perPage: number) => void
  /** The page sizes that can be chosen; one where there is nothing to choose. */
  sizes?: readonly number[]
  /** `total` is one more than was counted: there may be further records. */
  isMinimum?: boolean
  phone: boolean
}

/** Which rows these are, of how many, and the way to the others. */
export function Pager({
  perPage,
  total,
  setPage,
  setPerPage,
  sizes = [],
  isMinimum,
  phone,
  ...props
}: Props) {
  const text = useText()
  const [locale] = useLocaleState()
  const pages = Math.max(1, Math.ceil(total / perPage))
  const page = Math.min(props.page, pages)
  const number = (value: number) => formatNumber(locale, value)
  const turns = [
    { label: 'grid.firstPage', icon: FirstPageRounded, to: 1, shown: pages > 2 },
    { label: 'grid.previousPage', icon: KeyboardArrowLeftRounded, to: page - 1, shown: pages > 1 },
    { label: 'grid.nextPage', icon: KeyboardArrowRightRounded, to: page + 1, shown: pages > 1 },
    { label: 'grid.lastPage', icon: LastPageRounded, to: pages, shown: pages > 2 },
  ] as const
  return (
    <Box
      sx={{
        flex: 'none',
        display: 'flex',
        alignItems: 'center',
        gap: 0.5,
        minHeight: 51,
        ml: 'auto',
        pl: 2,
        pr: pages > 1 ? 1 : 2,
        color: 'text.secondary',
      }}
    >
      {setPerPage && total > Math.min(...sizes) && !phone && (
        <PageSize sizes={sizes} size={perPage} onChoose={setPerPage} />
      )}
      <Box component="span" aria-live="polite" sx={{ mr: pages > 1 ? 1 : 0 }}>
        {text('grid.pageOf', {
          from: number((page - 1) * perPage + 1),
          to: number(Math.min(page * perPage, total)),
          total: isMinimum ? `${number(total - 1)}+` : number(total),
        })}
      </Box>
      {turns.map(({ label, icon: Icon, to, shown }) => {
        const leads = to >= 1 && to <= pages && to !== page
        return (
          shown && (
            <IconButton
              key={label}
              color="inherit"
              aria-label={text(label)}
              disabled={!leads}
              onClick={() => setPage(to)}
            >
              <Icon />
            </IconButton>
          )
        )
      })}
    </Box>
  )
}

/** The pager of the list around it. */
export function ListPager({ listing, phone }: { listing: Listing; phone: boolean }) {
  const { page, perPage, total = 0, setPage, setPerPage, meta } = useListContext()
  const sizes = sizesOf(listing).toSorted((a, b) => a - b)
  return (
    <Pager
      {...{ page, perPage, total, setPage, setPerPage, sizes, phone }}
      isMinimum={meta?.totalIsMinimum === true}
    />
  )
}
