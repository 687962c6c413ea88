all clean: a
	echo
define STEP
x
endef
