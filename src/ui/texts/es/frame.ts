import { COPYRIGHT_YEAR, PRODUCT_NAME } from '#protocol/constants.ts'
import type { Translation } from '../../../platform/texts/messages.ts'
import type { texts as english } from '../en/frame.ts'

export const texts: Translation<typeof english> = {
  'frame.main': 'Principal',
  'frame.home': 'Inicio',
  'frame.privacy': 'Privacidad',
  'frame.terms': 'Términos y condiciones',
  'frame.about': 'Quiénes somos',
  'frame.transparency': 'Transparencia',
  'frame.service-status': 'Estado del servicio',
  'frame.more': 'Más opciones',
  'frame.language': 'Idioma',
  'frame.greeting': 'Hola, <name/>',
  'frame.profile': 'Perfil',
  'frame.close': 'Cerrar',
  'frame.edit-profile': 'Editar perfil',
  'frame.edit-profile.failed': 'No se ha podido abrir tu perfil. Inténtalo de nuevo.',
  'frame.logout': 'Cerrar sesión',
  'frame.follow': 'Síguenos',
  'frame.whatsapp': 'Canal de WhatsApp',
  'frame.rights': `© ${COPYRIGHT_YEAR} ${PRODUCT_NAME}. Todos los derechos reservados.`,
  'frame.report-content': 'Denunciar una imagen íntima o una suplantación',
  'frame.contents': 'En esta página',
  'frame.updated': 'Última actualización: {date}',
  'frame.contact-address': 'nuestra dirección de contacto',
}
