/** Made by scripts/curtain-files.ts. */
declare module 'virtual:curtain-files' {
  /** The model's name and version, by which its looks are counted. */
  export const model: string
  export const files: import('#workers/curtain/contract.ts').CurtainFiles
}
