-- :Telescope ctxpack query=words
return require("telescope").register_extension({
  exports = {
    ctxpack = function(options)
      require("ctxpack").pick(options.query or vim.fn.input("ctxpack: "), options)
    end,
  },
})
