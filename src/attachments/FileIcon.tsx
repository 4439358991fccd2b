import AudiotrackRounded from '@mui/icons-material/AudiotrackRounded'
import DescriptionRounded from '@mui/icons-material/DescriptionRounded'
import ImageRounded from '@mui/icons-material/ImageRounded'
import MovieRounded from '@mui/icons-material/MovieRounded'
import type { SvgIconProps } from '@mui/material/SvgIcon'

const KINDS: readonly [RegExp, typeof DescriptionRounded][] = [
  [/^(jpe?g|png|webp|heic|gif|bmp|tiff?|svg)$/i, ImageRounded],
  [/^(mov|mp4|m4v|avi|mkv|webm)$/i, MovieRounded],
  [/^(mp3|m4a|wav|ogg|flac)$/i, AudiotrackRounded],
]

/** An icon for the file type; decorative, since the name carries the extension. */
export function FileIcon({ extension, ...props }: SvgIconProps & { extension: string }) {
  const Icon = KINDS.find(([pattern]) => pattern.test(extension))?.[1] ?? DescriptionRounded
  return <Icon {...props} />
}
