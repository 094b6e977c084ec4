import styles from './skeleton.module.css'

interface SkeletonProps {
  /** Height and width: a number in pixels. */
  readonly h?: number | string
  readonly w?: number | string
  readonly maw?: string
  readonly my?: number
  readonly mt?: number
  readonly mb?: number
  readonly radius?: number | string
  readonly ml?: 'auto'
  readonly className?: string | undefined
}

/** The place of something that is loading. */
export const Skeleton = ({ h, w, maw, my, mt = my, mb = my, ml, radius, className }: SkeletonProps) => (
  <span
    className={className ? `${styles.skeleton} ${className}` : styles.skeleton}
    data-skeleton
    style={{
      height: h,
      width: w,
      maxWidth: maw,
      marginTop: mt,
      marginBottom: mb,
      marginLeft: ml,
      borderRadius: radius,
    }}
  />
)
