import AddRounded from '@mui/icons-material/AddRounded'
import { styled } from '@mui/material/styles'
import { memo, type MouseEvent } from 'react'

/** Plain buttons, because there are hundreds of them. */
const Point = styled('button')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  width: '100%',
  height: 24,
  margin: 0,
  padding: 0,
  border: 0,
  background: 'transparent',
  color: theme.vars.palette.text.secondary,
  cursor: 'pointer',
  '&::before, &::after': {
    content: '""',
    flex: 1,
    height: 2,
    borderRadius: 1,
    backgroundColor: 'transparent',
  },
  '& svg': { fontSize: 16, opacity: 0.6, '@media (hover: hover)': { opacity: 0 } },
  '&:hover, &:focus-visible': {
    color: theme.vars.palette.primary.main,
    outline: 'none',
    '&::before, &::after': { backgroundColor: theme.vars.palette.primary.main },
    '& svg': { opacity: 1 },
  },
  [theme.breakpoints.down('md')]: { height: 28 },
}))

interface Props {
  label: string
  index: number
  onInsert: (anchor: HTMLElement, index: number) => void
}

/** Button between two items that inserts a heading or a task. */
export const InsertPoint = memo(function InsertPoint({ label, index, onInsert }: Props) {
  return (
    <Point
      type="button"
      aria-label={label}
      title={label}
      aria-haspopup="menu"
      onClick={(event: MouseEvent<HTMLButtonElement>) => onInsert(event.currentTarget, index)}
    >
      <AddRounded />
    </Point>
  )
})
