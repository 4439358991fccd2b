import { firstCharacters } from '#contract/kit/cut.ts'
import Avatar from '@mui/material/Avatar'

import { addressOf } from '#providers/api.ts'

import { AVATAR_COLORS } from '../theme/palette.ts'

interface Props {
  firstName: string
  lastName: string
  imageUrl?: string | null
  size?: number
}

const firstLetter = (name: string) => firstCharacters(name.trim(), 1)[0]?.toLocaleUpperCase() ?? ''

/**
 * A person's image, or their initials on a colour chosen by the name's length. Decorative: the name is shown beside it.
 */
export function Initials({ firstName, lastName, imageUrl, size = 32 }: Props) {
  const length = `${firstName} ${lastName}`.trim().length
  return (
    <Avatar
      {...(imageUrl && { src: addressOf(imageUrl) })}
      alt=""
      aria-hidden
      sx={{
        width: size,
        height: size,
        fontSize: size * 0.4,
        fontWeight: 600,
        color: '#FFFFFF',
        bgcolor: AVATAR_COLORS[length % AVATAR_COLORS.length],
      }}
    >
      {firstLetter(firstName) + firstLetter(lastName)}
    </Avatar>
  )
}
