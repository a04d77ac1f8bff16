# The names of an open directory. Ruby's own Dir takes a failing readdir for the end of the directory,
# so libc is asked, whose errno tells the two apart.
require 'fiddle'

module Names
  LIBC = Fiddle.dlopen(nil)
  P = Fiddle::TYPE_VOIDP
  I = Fiddle::TYPE_INT
  DUP = Fiddle::Function.new(LIBC['dup'], [I], I)
  FDOPENDIR = Fiddle::Function.new(LIBC['fdopendir'], [I], P)
  READDIR = Fiddle::Function.new(LIBC['readdir'], [P], P)
  CLOSEDIR = Fiddle::Function.new(LIBC['closedir'], [P], I)
  ERRNO = Fiddle::Function.new(LIBC['__errno_location'], [], P)
  NAME_AT = 19

  module_function

  def of(fd)
    handle = FDOPENDIR.call(DUP.call(fd))
    raise Errno::EMFILE if handle.null?
    names = []
    begin
      loop do
        ERRNO.call[0, 4] = [0].pack('i')
        entry = READDIR.call(handle)
        failure = ERRNO.call[0, 4].unpack1('i')
        if entry.null?
          raise SystemCallError.new(nil, failure) unless failure.zero?
          break
        end
        name = (entry + NAME_AT).to_s.b
        names << name unless %w[. ..].include?(name)
      end
    ensure
      CLOSEDIR.call(handle)
    end
    names
  end
end
