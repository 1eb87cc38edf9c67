import { COPYRIGHT_YEAR, PRODUCT_NAME } from '#protocol/constants.ts'
import type { texts as english } from '../en/frame.ts'
import type { Translation } from '../messages.ts'

export const texts: Translation<typeof english> = {
  'frame.main': 'Principal',
  'frame.home': 'Inicio',
  'frame.privacy': 'Privacidad',
  'frame.terms': 'Términos y condiciones',
  'frame.about': 'Quiénes somos',
  'frame.more': 'Más opciones',
  'frame.language': 'Idioma',
  'frame.greeting': 'Hola, <name/>',
  'frame.profile': 'Perfil',
  'frame.close': 'Cerrar',
  'frame.logout': 'Cerrar sesión',
  'frame.follow': 'Síguenos',
  'frame.whatsapp': 'Canal de WhatsApp',
  'frame.rights': `© ${COPYRIGHT_YEAR} ${PRODUCT_NAME}. Todos los derechos reservados.`,
  'frame.cookies.title': 'Cookies',
  'frame.cookies.text':
    'Necesitamos unas pocas cookies para mantener tu sesión abierta. Si nos das permiso, usamos también cookies de publicidad y de análisis.',
  'frame.cookies.more': 'Más información',
  'frame.cookies.necessary': 'Solo las necesarias',
  'frame.cookies.all': 'Permitir todas las cookies',
  'frame.contents': 'En esta página',
  'frame.updated': 'Última actualización: {date}',
}
