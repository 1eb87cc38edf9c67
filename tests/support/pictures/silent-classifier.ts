/** Never gets ready, and never ends by itself. */
process.on('disconnect', () => process.exit(0))
process.on('message', () => undefined)
